import { describe, expect, it } from '@jest/globals';
import type { OutcomeReport, ReportEntry } from '../../../src/kernel/outcome-report.js';
import { PROVIDERS } from '../../../src/modules/events/outcome-intake/domain/providers/providers.js';
import { notificationIn } from '../../../src/modules/events/outcome-intake/domain/providers/sns-mail.js';
import { parseMessage } from '../../../src/modules/events/outcome-intake/domain/reports/parse-message.js';
import { readOutcome } from '../../../src/modules/verification/outcomes/domain/read-outcome.js';

const NOW = new Date('2026-11-20T12:00:00Z');
const AT = '2026-11-19T10:00:00.000Z';
const EMAIL = 'ghost@example.com';
const ABSENT = '550 5.1.1 <ghost@example.com>: Recipient address rejected: User unknown';
const ADVICE =
  "The recipient's email provider sent a hard bounce message, but didn't specify the reason for the hard bounce. We recommend removing the recipient's email address from your mailing list.";
const SUPPRESSED =
  'Amazon SES has suppressed sending to this address because it has a recent history of bouncing as an invalid address.';

const ses = (bounce: object, recipient: object) =>
  PROVIDERS.ses.read({
    notificationType: 'Bounce',
    bounce: { bouncedRecipients: [{ emailAddress: EMAIL, ...recipient }], timestamp: AT, ...bounce },
    mail: { messageId: '1' },
  });
const sendgrid = (event: object) =>
  PROVIDERS.sendgrid.read([{ email: EMAIL, timestamp: 1_795_082_400, ...event }]);
const postmark = (event: object) =>
  PROVIDERS.postmark.read({ RecordType: 'Bounce', Email: EMAIL, BouncedAt: AT, ...event });
const resend = (bounce: object) =>
  PROVIDERS.resend.read({
    type: 'email.bounced',
    created_at: AT,
    data: { email_id: '1', to: [EMAIL], bounce },
  });
const brevo = (event: string, reason: string) =>
  PROVIDERS.brevo.read({ event, email: EMAIL, ts_epoch: Date.parse(AT), 'message-id': '<1@x>', reason });
const mailgun = (reason: string, status: object, severity = 'permanent') =>
  PROVIDERS.mailgun.read({
    'event-data': {
      event: 'failed',
      severity,
      reason,
      recipient: EMAIL,
      timestamp: 1,
      'delivery-status': status,
    },
  });
const sparkpost = (event: object) =>
  PROVIDERS.sparkpost.read([{ msys: { message_event: { type: 'bounce', raw_rcpt_to: EMAIL, ...event } } }]);

/** `hard`, the category of a bounce that is not, or why the event is no outcome. */
function readingOf([event]: ReportEntry[]): string | null {
  if (event === undefined || 'message' in event) return event?.code ?? 'nothing';
  const read = readOutcome({ ...event, at: null }, NOW);
  if ('message' in read) return read.code;
  return read.isHard ? 'hard' : read.category;
}

describe('a bounce that a provider reports', () => {
  it.each<[string, ReportEntry[]]>([
    [
      'ses',
      ses(
        { bounceType: 'Permanent', bounceSubType: 'General' },
        { status: '5.1.1', diagnosticCode: `smtp; ${ABSENT}` },
      ),
    ],
    ['ses without a reply', ses({ bounceType: 'Permanent', bounceSubType: 'NoEmail' }, {})],
    ['sendgrid', sendgrid({ event: 'bounce', type: 'bounce', reason: ABSENT, status: '5.1.1' })],
    ['sendgrid without a reply', sendgrid({ event: 'bounce', bounce_classification: 'Invalid Address' })],
    [
      'postmark',
      postmark({
        Type: 'HardBounce',
        Details: 'smtp;550 5.1.1 The email account that you tried to reach does not exist.',
      }),
    ],
    [
      'resend',
      resend({ message: ADVICE, type: 'Permanent', subType: 'General', diagnosticCode: [`smtp; ${ABSENT}`] }),
    ],
    ['brevo', brevo('hard_bounce', ` RecipientError: ${ABSENT}`)],
    ['brevo with a code', brevo('hard_bounce', `550 RecipientError: ${ABSENT}`)],
    [
      'mailgun',
      mailgun('bounce', {
        code: 550,
        message:
          "5.1.1 The email account that you tried to reach does not exist. Please try\n5.1.1 double-checking the recipient's email address",
        description: '',
      }),
    ],
    ['sparkpost', sparkpost({ bounce_class: '10', error_code: '550', raw_reason: ABSENT })],
  ])('is hard if the mailbox does not exist: %s', (_, events) => expect(readingOf(events)).toBe('hard'));

  it.each<[string, string | null, ReportEntry[]]>([
    // Nothing was sent.
    [
      'ses, suppressed',
      'unknown_event',
      ses(
        { bounceType: 'Permanent', bounceSubType: 'Suppressed' },
        { status: '5.1.1', diagnosticCode: SUPPRESSED },
      ),
    ],
    [
      'ses, suppressed by the account',
      'unknown_event',
      ses({ bounceType: 'Permanent', bounceSubType: 'OnAccountSuppressionList' }, { status: '5.1.1' }),
    ],
    [
      'resend, suppressed',
      'unknown_event',
      resend({ message: SUPPRESSED, type: 'Permanent', subType: 'Suppressed' }),
    ],
    [
      'mailgun, suppressed',
      'unknown_event',
      mailgun('suppress-bounce', {
        code: 605,
        message: '',
        description: 'Not delivering to previously bounced address',
      }),
    ],
    [
      'sendgrid, dropped',
      'unknown_event',
      sendgrid({ event: 'dropped', reason: 'Bounced Address', status: '5.0.0' }),
    ],
    // No reason is known.
    ['ses, general', null, ses({ bounceType: 'Permanent', bounceSubType: 'General' }, {})],
    ['resend, general', null, resend({ message: ADVICE, type: 'Permanent', subType: 'General' })],
    ['resend without a type', null, resend({ message: ADVICE })],
    // Tried again, or not from a mail server.
    [
      'mailgun, temporary',
      'unknown_event',
      mailgun('generic', { code: 498, message: 'No MX for nomx.example.com' }, 'temporary'),
    ],
    [
      'postmark, delayed',
      'unknown_event',
      postmark({ Type: 'Transient', Details: 'smtp;451 4.7.1 try later' }),
    ],
    [
      'postmark, automatic reply',
      'unknown_event',
      postmark({ Type: 'AutoResponder', Details: 'This mailbox does not exist any more' }),
    ],
    // Another reason.
    [
      'sendgrid, blocked',
      'sender_blocked',
      sendgrid({
        event: 'bounce',
        type: 'blocked',
        status: '5.7.1',
        reason: '554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using bl.spamcop.net',
      }),
    ],
    ['brevo, full', 'mailbox_full', brevo('soft_bounce', 'RecipientError: 452 4.2.2 mailbox is full')],
    [
      'ses, full',
      'mailbox_full',
      ses(
        { bounceType: 'Transient', bounceSubType: 'MailboxFull' },
        {
          status: '5.2.2',
          diagnosticCode: 'smtp; 552 5.2.2 The email account that you tried to reach is over quota',
        },
      ),
    ],
  ])('is not, or is ignored, otherwise: %s', (_, reading, events) => expect(readingOf(events)).toBe(reading));

  it.each<[string, ReportEntry[]]>([
    ['brevo, without an MX', brevo('soft_bounce', 'undefined Unable to find MX of domain no-mx.example.com')],
    ['postmark, a test', postmark({ Type: 'HardBounce', Details: 'Test bounce details' })],
    [
      'sparkpost, suppressed',
      sparkpost({
        bounce_class: '25',
        error_code: '550',
        raw_reason: '550 5.7.1 [internal] recipient address suppressed due to customer policy',
      }),
    ],
  ])('is not hard: %s', (_, events) => expect(readingOf(events)).not.toBe('hard'));

  it('has the time of the event', () => {
    const at = (events: ReportEntry[]) => (events[0] as OutcomeReport).at?.toISOString();
    expect(at(brevo('delivered', ''))).toBe(AT);
    expect(at(postmark({ Type: 'HardBounce', BouncedAt: '2026-11-19T05:00:00.3963933-05:00' }))).toBe(
      '2026-11-19T10:00:00.396Z',
    );
  });

  it('is no complaint if the mail was not sent', () => {
    const complaint = { complainedRecipients: [{ emailAddress: EMAIL }], timestamp: AT };
    const read = (more: object) =>
      readingOf(
        PROVIDERS.ses.read({ eventType: 'Complaint', complaint: { ...complaint, ...more }, mail: {} }),
      );
    expect(read({ complaintSubType: null })).toBe(null);
    expect(read({ complaintSubType: 'OnAccountSuppressionList' })).toBe('unknown_event');
  });

  it('has codes only with the reply of a bounce', () => {
    const event = { event: 'delivered', recipient: EMAIL, timestamp: 1 };
    const status = { message: 'OK', code: 250, 'enhanced-code': '2.0.0' };
    const delivered = PROVIDERS.mailgun.read({ 'event-data': { ...event, 'delivery-status': status } });
    expect(readOutcome(delivered[0] as OutcomeReport, new Date(1_000))).toMatchObject({
      code: null,
      enhancedCode: null,
      text: null,
    });
    const [bounced] = mailgun('bounce', { code: 605, 'enhanced-code': '5.1.1' }) as OutcomeReport[];
    expect([bounced?.reply, bounced?.enhancedCode]).toEqual([undefined, undefined]);
  });

  it('is not identified by a Message-ID of white space', () => {
    const keyOf = (seconds: number, messageId: string) => {
      const report = { email: EMAIL, outcome: 'bounced', at: new Date(NOW.getTime() - seconds), messageId };
      return (readOutcome(report as OutcomeReport, NOW) as { eventKey: string }).eventKey;
    };
    expect(keyOf(1_000, ' ')).not.toBe(keyOf(2_000, ' '));
    expect(keyOf(1_000, '<1@x>')).toBe(keyOf(2_000, '<1@x>'));
  });
});

describe('a notification of Amazon SES that Amazon SNS sends by mail', () => {
  const notification = (bounced: object) =>
    JSON.stringify({
      notificationType: 'Bounce',
      bounce: { bounceType: 'Permanent', bounceSubType: 'General', bouncedRecipients: [bounced] },
    });
  const mail = (body: string, header = 'x-amz-sns-message-id: 1') =>
    parseMessage(Buffer.from(`From: no-reply@sns.amazonaws.com\n${header}\n\n${body}\n\n--\nUnsubscribe\n`));

  it('counts as that', () => {
    const body = notification({ emailAddress: EMAIL, diagnosticCode: `smtp; ${ABSENT}` });
    expect(readingOf([...(notificationIn(mail(body)) ?? [])])).toBe('hard');
  });

  it('is none without the header of Amazon, or without JSON', () => {
    const body = notification({ emailAddress: EMAIL });
    expect(notificationIn(mail(body, 'x-other: 1'))).toBe(null);
    expect(notificationIn(mail('Hello'))).toBe(null);
  });
});
