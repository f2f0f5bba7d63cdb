import { describe, expect, it } from '@jest/globals';
import type { ReportEntry } from '../../../src/kernel/outcome-report.js';
import { PROVIDERS } from '../../../src/modules/events/outcome-intake/domain/providers/providers.js';
import { readOutcome } from '../../../src/modules/verification/outcomes/domain/read-outcome.js';

const NOW = new Date('2026-11-20T12:00:00Z');
const EMAIL = 'ghost@example.com';
const ABSENT = '550 5.1.1 <ghost@example.com>: Recipient address rejected: User unknown';
const FULL = '552 5.2.2 The email account that you tried to reach is over quota';

const postal = (event: string, payload: object) =>
  PROVIDERS.postal.read({ event, payload: { message: { to: EMAIL, direction: 'outgoing' }, ...payload } });
const mailjet = (event: object) => PROVIDERS.mailjet.read([{ event: 'bounce', email: EMAIL, ...event }]);
const mandrill = (event: string, msg: object) =>
  PROVIDERS.mandrill.read([{ event, msg: { email: EMAIL, ...msg } }]);
const mailersend = (type: string, reason: string | null) =>
  PROVIDERS.mailersend.read({
    type: `activity.${type}`,
    data: { email: { recipient: { email: EMAIL } }, morph: { reason } },
  });
const mailtrap = (event: string, more: object) =>
  PROVIDERS.mailtrap.read({ events: [{ event, email: EMAIL, ...more }] });
const kumomta = (type: string, response: object, more: object = {}) =>
  PROVIDERS.kumomta.read({ type, recipient: EMAIL, response, ...more });
const gone = {
  code: 550,
  enhanced_code: { class: 5, subject: 1, detail: 1 },
  content: 'User unknown',
  command: `RCPT TO:<${EMAIL}>`,
};

/** `hard`, the category of a bounce that is not, or why the event is no outcome. */
function readingOf([event]: ReportEntry[]): string | null {
  if (event === undefined || 'message' in event) return event?.code ?? 'nothing';
  const read = readOutcome({ ...event, at: null }, NOW);
  if ('message' in read) return read.code;
  return read.isHard ? 'hard' : read.category;
}

describe('a bounce that a provider reports', () => {
  it.each<[string, ReportEntry[]]>([
    ['postal', postal('MessageDeliveryFailed', { output: ABSENT })],
    ['mailjet', mailjet({ hard_bounce: true, error: 'user unknown', comment: ABSENT })],
    ['mailjet without a reply', mailjet({ hard_bounce: true, error: 'user unknown' })],
    ['mandrill', mandrill('hard_bounce', { diag: `smtp;${ABSENT}` })],
    ['mandrill without a reply', mandrill('hard_bounce', { bounce_description: 'bad_mailbox' })],
    ['mailersend', mailersend('hard_bounced', ABSENT)],
    ['mailersend in words', mailersend('hard_bounced', 'User unknown')],
    ['mailtrap', mailtrap('bounce', { response: '5.1.1 User unknown', response_code: 550 })],
    ['mailtrap, quoted', mailtrap('bounce', { response: `bounced (${ABSENT})`, response_code: 550 })],
    ['kumomta', kumomta('Bounce', gone)],
    ['kumomta, later', kumomta('OOB', gone)],
    ['kumomta, after the data', kumomta('Bounce', { ...gone, command: '.' })],
  ])('is hard if the mailbox does not exist: %s', (_, events) => expect(readingOf(events)).toBe('hard'));

  it.each<[string, ReportEntry[]]>([
    ['mailjet', mailjet({ hard_bounce: false, error: 'user unknown', comment: ABSENT })],
    ['mailjet without a reply', mailjet({ hard_bounce: false, error: 'user unknown' })],
    ['mailjet without a kind', mailjet({ error: 'user unknown', comment: ABSENT })],
    ['mandrill', mandrill('soft_bounce', { bounce_description: 'bad_mailbox', diag: `smtp;${ABSENT}` })],
    ['mandrill without a reply', mandrill('soft_bounce', { bounce_description: 'bad_mailbox' })],
    ['mailersend', mailersend('soft_bounced', ABSENT)],
    ['mailersend in words', mailersend('soft_bounced', 'User unknown')],
    // The server refused the sender.
    ['kumomta, before the recipient', kumomta('Bounce', { ...gone, command: 'MAIL FROM:<a@example.org>' })],
    // Nothing says why.
    [
      'postal, returned',
      postal('MessageBounced', { original_message: { to: EMAIL, direction: 'outgoing' } }),
    ],
    ['mailersend, unknown', mailersend('hard_bounced', 'Unknown reason')],
    ['mailersend without a reason', mailersend('hard_bounced', null)],
    ['mailtrap without a reply', mailtrap('bounce', {})],
  ])('is known, and not hard, if it is soft or has no reason: %s', (_, events) =>
    expect(readingOf(events)).toBe(null),
  );

  it.each<[string, ReportEntry[]]>([
    ['postal', postal('MessageDeliveryFailed', { output: FULL })],
    ['mailjet', mailjet({ hard_bounce: true, error: 'user unknown', comment: FULL })],
    ['mandrill', mandrill('hard_bounce', { bounce_description: 'bad_mailbox', diag: `smtp;${FULL}` })],
    ['mandrill, soft', mandrill('soft_bounce', { diag: `smtp;${FULL}` })],
    ['mailersend', mailersend('hard_bounced', FULL)],
    ['mailtrap', mailtrap('bounce', { response: FULL, response_code: 552 })],
    ['kumomta', kumomta('Bounce', { ...gone, content: `host said: ${FULL}` })],
  ])('is read by the reply that it quotes, not by its own words: %s', (_, events) =>
    expect(readingOf(events)).toBe('mailbox_full'),
  );

  it.each<[string, ReportEntry[]]>([
    ['postal, held', postal('MessageHeld', {})],
    ['postal, delayed', postal('MessageDelayed', { output: ABSENT })],
    [
      'postal, suppressed',
      postal('MessageDeliveryFailed', { output: '', details: 'Recipient is suppressed' }),
    ],
    [
      'postal, a mail that it received',
      postal('MessageSent', { message: { to: EMAIL, direction: 'incoming' } }),
    ],
    ['mailjet, not sent', mailjet({ event: 'blocked', error: 'user unknown' })],
    ['mailjet, suppressed', mailjet({ hard_bounce: true, error: 'preblocked' })],
    ['mailjet, tried again', mailjet({ hard_bounce: false, error: 'greylisted' })],
    ['mailjet, unsubscribed', mailjet({ event: 'unsub' })],
    ['mandrill, not sent', mandrill('reject', {})],
    ['mandrill, tried again', mandrill('deferral', { diag: ABSENT })],
    [
      'mandrill, its list',
      PROVIDERS.mandrill.read([{ type: 'blacklist', action: 'add', reject: { email: EMAIL } }]),
    ],
    ['mailersend, tried again', mailersend('deferred', ABSENT)],
    ['mailtrap, tried again', mailtrap('soft bounce', { response: ABSENT, response_code: 550 })],
    ['mailtrap, not sent', mailtrap('reject', { reason: 'suppressed' })],
    ['mailtrap, suspended', mailtrap('suspension', {})],
    ['kumomta, tried again', kumomta('TransientFailure', gone)],
    ['kumomta, expired', kumomta('Expiration', { ...gone, code: 551 })],
    ['kumomta, by an administrator', kumomta('AdminBounce', gone)],
    ['kumomta, a log record', kumomta('Delivery', { code: 200 }, { reception_protocol: 'LogRecord' })],
    ['kumomta, not by mail', kumomta('Delivery', { code: 200 }, { delivery_protocol: 'Lua' })],
  ])('is none if the mail was not sent, or is tried again: %s', (_, events) =>
    expect(readingOf(events)).toBe('unknown_event'),
  );

  it.each<[string, ReportEntry[]]>([
    [
      'mailjet',
      mailjet({
        hard_bounce: true,
        error: 'user unknown',
        comment:
          'Host or domain name not found. Name service error for name=no.example type=A: Host not found',
      }),
    ],
    ['mailersend', mailersend('hard_bounced', 'Host or domain name not found')],
    [
      'mailtrap, spam',
      mailtrap('bounce', { response: '[CS01] Message rejected due to local policy', response_code: 555 }),
    ],
  ])('is not hard if the reply gives another reason: %s', (_, events) =>
    expect(readingOf(events)).not.toBe('hard'),
  );

  it('has the time and the message of the event', () => {
    const at = '2026-11-19T10:00:00.000Z';
    const seconds = Date.parse(at) / 1_000;
    const message = { to: EMAIL, message_id: '<1@x>' };
    for (const [event] of [
      postal('MessageSent', { timestamp: seconds, message }),
      mailjet({ time: seconds, Message_GUID: '<1@x>', MessageID: 2 ** 60 }),
      PROVIDERS.mandrill.read([{ event: 'delivered', msg: { email: EMAIL }, ts: seconds, _id: '<1@x>' }]),
      PROVIDERS.mailersend.read({
        type: 'activity.delivered',
        data: { created_at: at, email: { message: { id: '<1@x>' }, recipient: { email: EMAIL } } },
      }),
      PROVIDERS.mailersend.read({
        type: 'activity.delivered',
        created_at: at,
        data: { email: EMAIL, message_id: '<1@x>' },
      }),
      mailtrap('delivery', { timestamp: seconds, message_id: '<1@x>' }),
      kumomta('Delivery', gone, { timestamp: seconds, id: '<1@x>' }),
    ])
      expect(event).toMatchObject({ email: EMAIL, at: new Date(at), messageId: '<1@x>' });
  });

  it('of KumoMTA may have several recipients', () => {
    const record = { type: 'Delivery', recipient: ['a@example.com', 'b@example.com'], response: gone };
    expect(PROVIDERS.kumomta.read([record, record])).toHaveLength(4);
  });
});
