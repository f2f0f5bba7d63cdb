import { describe, expect, it } from '@jest/globals';
import assert from 'node:assert/strict';
import type { ReportEntry } from '../../../src/kernel/outcome-report.js';
import {
  PROVIDERS,
  type SourceKind,
} from '../../../src/modules/events/outcome-intake/domain/providers/providers.js';
import { readOutcome } from '../../../src/modules/verification/outcomes/domain/read-outcome.js';

const NOW = new Date('2026-11-20T12:00:00Z');
const EMAIL = 'ghost@example.com';
const ABSENT = `550 5.1.1 <${EMAIL}>: User unknown`;

const sparkpost = (event: object) =>
  PROVIDERS.sparkpost.read([
    { msys: { message_event: { type: 'bounce', rcpt_to: EMAIL, error_code: '550', ...event } } },
  ]);
const own = (bounceClass: string, sentence: string) =>
  sparkpost({ type: 'out_of_band', bounce_class: bounceClass, raw_reason: sentence, reason: sentence });
const mandrill = (description: string, diag: string, event = 'hard_bounce') =>
  PROVIDERS.mandrill.read([{ event, msg: { email: EMAIL, bounce_description: description, diag } }]);
const mailgun = (status: object, reason = 'bounce') =>
  PROVIDERS.mailgun.read({
    'event-data': {
      event: 'failed',
      severity: 'permanent',
      reason,
      recipient: EMAIL,
      'delivery-status': status,
    },
  });
const sendgrid = (event: object) => PROVIDERS.sendgrid.read([{ event: 'bounce', email: EMAIL, ...event }]);
const postmark = (Type: string, Details?: string) =>
  PROVIDERS.postmark.read({ RecordType: 'Bounce', Type, Details, Email: EMAIL });
const brevo = (event: string, reason?: string) => PROVIDERS.brevo.read({ event, email: EMAIL, reason });
const mailjet = (error: string, comment?: string, isHard = true) =>
  PROVIDERS.mailjet.read({ event: 'bounce', email: EMAIL, hard_bounce: isHard, error, comment });
const ses = (type: string, subType: string, diagnosticCode?: string) =>
  PROVIDERS.ses.read({
    notificationType: 'Bounce',
    bounce: {
      bounceType: type,
      bounceSubType: subType,
      bouncedRecipients: [{ emailAddress: EMAIL, diagnosticCode }],
    },
  });
const kumomta = (content: string, command: string | null = null) =>
  PROVIDERS.kumomta.read({ type: 'Bounce', recipient: EMAIL, response: { code: 550, content, command } });

function readingOf([event]: ReportEntry[]): string | null {
  assert(event !== undefined);
  if ('message' in event) return event.code;
  const read = readOutcome({ ...event, at: null }, NOW);
  assert(!('message' in read));
  return read.isHard ? 'hard' : read.category;
}

describe('a sentence of the provider in the place of a reply', () => {
  it.each<[string, ReportEntry[]]>([
    ['sparkpost', own('10', '550 [internal] [oob] The recipient is invalid.')],
    ['sparkpost, with a status', own('10', '550 5.7.1 [internal] recipient could not be reached')],
    ['mandrill', mandrill('bad_mailbox', 'smtp; 550 5.7.1 [internal] the mail could not be delivered')],
    ['mandrill, in words', mandrill('bad_mailbox', 'smtp; The mail was returned')],
    ['sendgrid', sendgrid({ reason: 'Delayed Bounce', bounce_classification: 'Invalid Address' })],
    ['postmark', postmark('HardBounce', 'action: failed\r\n')],
    ['postmark, an address that is none', postmark('BadEmailAddress')],
    ['mailgun', mailgun({ code: 499, message: 'Too many failures' })],
    ['brevo', brevo('hard_bounce', 'The mail came back')],
    ['brevo, an address that is none', brevo('invalid_email', 'Invalid address format')],
    ['brevo, without a word', brevo('invalid_email')],
    ['mailjet', mailjet('user unknown', 'Event of the recipient')],
    ['mailjet, a mailbox that nobody uses', mailjet('mailbox inactive')],
    ['ses', ses('Permanent', 'NoEmail', 'The mail bounced')],
  ])('is hard by the category of the provider: %s', (_, events) => expect(readingOf(events)).toBe('hard'));

  it.each<[string, string | null, ReportEntry[]]>([
    ['sparkpost, undetermined', null, own('1', '550 [internal] [oob] unknown user or not')],
    ['sparkpost, no recipient', null, own('30', '550 [internal] no such recipient could be determined')],
    ['sparkpost, full', 'mailbox_full', own('22', '552 [internal] [oob] unknown')],
    [
      'sparkpost, a time-out',
      null,
      own('24', '554 5.4.7 [internal] message timeout (last transfail: 451 4.1.1 unknown user)'),
    ],
    ['mandrill, without a category', null, mandrill('general', '550 [internal] unknown recipient')],
    ['mailgun, no connection', null, mailgun({ code: 498, message: 'No such recipient domain' }, 'generic')],
    ['mailgun, old', null, mailgun({ code: 602, message: 'Unknown user after all' }, 'old')],
    [
      'sendgrid, no mail server',
      null,
      sendgrid({
        type: 'blocked',
        bounce_classification: 'Unclassified',
        reason:
          'unable to get mx info: failed to get IPs from PTR record: lookup <nil>: unrecognized address',
      }),
    ],
    ['mailjet, soft', null, mailjet('mailbox inactive', undefined, false)],
    ['mailjet, full', 'mailbox_full', mailjet('quota exceeded')],
    ['ses, full', 'mailbox_full', ses('Transient', 'MailboxFull')],
    ['kumomta', null, kumomta('KumoMTA internal: no such user in the queue')],
  ])('is not hard by its words: %s', (_, category, events) => expect(readingOf(events)).toBe(category));

  it.each<[string, ReportEntry[]]>([
    ['sparkpost', sparkpost({ bounce_class: '50', raw_reason: ABSENT })],
    ['sparkpost, with a semicolon', sparkpost({ bounce_class: '1', raw_reason: `${ABSENT}; see help` })],
    ['mandrill', mandrill('general', `smtp;${ABSENT}`)],
    ['mailgun', mailgun({ code: 550, message: ABSENT }, 'generic')],
    ['kumomta', kumomta(ABSENT, `RCPT TO:<${EMAIL}>`)],
  ])('is told from the reply of a server, which counts: %s', (_, events) =>
    expect(readingOf(events)).toBe('hard'),
  );

  it('is kept as the text of the outcome, without an address', () => {
    const [event] = own('10', `550 [internal] [oob] ${EMAIL} is invalid.`);
    assert(event !== undefined && 'outcome' in event);
    expect(readOutcome(event, NOW)).toMatchObject({
      text: '550 [internal] [oob] [address] is invalid.',
      code: null,
    });
  });

  it.each<[string, ReportEntry[]]>([
    ...['25', '26', '60', '70', '80', '90', '100'].map<[string, ReportEntry[]]>((bounceClass) => [
      `sparkpost, class ${bounceClass}`,
      own(bounceClass, '550 [internal] [oob] The message is an automatic reply.'),
    ]),
    ...['ManuallyDeactivated', 'Unconfirmed', 'SMTPApiError', 'InboundError', 'TemplateRenderingFailed'].map<
      [string, ReportEntry[]]
    >((type) => [`postmark, ${type}`, postmark(type, ABSENT)]),
    ['postmark, its test', postmark('HardBounce', 'Test bounce details')],
    ['mailgun, bounced before', mailgun({ code: 605, message: 'Not delivering to a bounced address' })],
    ['mailgun, unsubscribed', mailgun({ code: 606, message: 'Not delivering' })],
    ['ses, unsubscribed', ses('Permanent', 'UnsubscribedRecipient')],
    ['brevo, blocked', brevo('blocked', ABSENT)],
  ])('is no outcome if the event is no bounce: %s', (_, events) =>
    expect(readingOf(events)).toBe('unknown_event'),
  );
});

describe('the registry of providers', () => {
  it('has each under its kind, with the words for its secret', () => {
    for (const kind of Object.keys(PROVIDERS) as SourceKind[]) {
      expect(PROVIDERS[kind].kind).toBe(kind);
      expect(PROVIDERS[kind].secretIs).not.toBe('');
      expect(PROVIDERS[kind].read({})).toBeInstanceOf(Array);
    }
  });
});
