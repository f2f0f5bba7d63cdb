import { describe, expect, it } from '@jest/globals';
import type { ReportEntry } from '../../../src/kernel/outcome-report.js';
import { PROVIDERS } from '../../../src/modules/events/outcome-intake/domain/providers/providers.js';
import { aComplaint } from '../../support/outcomes/delivery-reports.js';
import { read } from '../../support/outcomes/readings.js';

/** The addresses that complained; for others why they are ignored. */
const complainants = (entries: readonly ReportEntry[]) =>
  entries.map((entry) => ('message' in entry ? entry.code : [entry.outcome, entry.email]));
const complained = (email: string) => ['complained', email];

describe('a feedback report', () => {
  it.each(['abuse', 'Abuse', ' abuse ', 'opt-out'])('of the type %j is a complaint', (type) => {
    expect(complainants(read(aComplaint({ type })))).toEqual([complained('jane@example.com')]);
  });

  it.each(['auth-failure', 'virus', 'fraud', 'other', 'not-spam', 'dkim', '', 'abuse-free', 'toString'])(
    'of the type %j is none',
    (type) => expect(complainants(read(aComplaint({ type })))).toEqual(['not_final']),
  );

  it('may name several recipients', () => {
    const message = aComplaint().replace(
      'Original-Rcpt-To: <jane@example.com>',
      'Original-Rcpt-To: <jane@example.com>\r\nOriginal-Rcpt-To: "Joe" <joe@example.com>',
    );
    expect(complainants(read(message))).toEqual([
      complained('jane@example.com'),
      complained('joe@example.com'),
    ]);
  });

  const returned = (header: string, rcptTo: string | null = null) =>
    read(aComplaint({ rcptTo, to: `a@example.com\r\n${header}` }));

  it.each([
    ['X-HmXmrOriginalRecipient: joe@example.com', 'joe@example.com'],
    ['X-HmXmrOriginalRecipient: <joe@example.com>', 'joe@example.com'],
    ['Delivered-To: joe@example.com', 'joe@example.com'],
    ['X-Original-To: Joe <joe@example.com>', 'joe@example.com'],
  ])('is about the recipient of the returned message before the one in To: %s', (header, email) => {
    expect(complainants(returned(header))).toEqual([complained(email)]);
  });

  it('is about the recipient that Microsoft names, whatever else is stated', () => {
    const entries = returned('X-HmXmrOriginalRecipient: joe@example.com', 'list@sender.example');
    expect(complainants(entries)).toEqual([complained('joe@example.com')]);
  });

  it.each([
    'Cc: b@example.com',
    'Bcc: b@example.com',
    'List-Id: News <news.sender.example>',
    'Delivered-To: (removed)',
  ])('does not accuse the one in To beside others: %s', (header) => {
    expect(complainants(returned(header))).toEqual(['no_recipient']);
  });

  it('does not accuse the one in To if the recipient was removed', () => {
    for (const rcptTo of ['', 'redacted'])
      expect(complainants(read(aComplaint({ rcptTo, to: 'list@sender.example' })))).toEqual(['no_recipient']);
  });

  it('of Microsoft may consist of the returned message alone', () => {
    const message = (header: string) =>
      `From: staff@hotmail.example\nSubject: complaint about message from 192.0.2.7\nMessage-ID: <j@hotmail.example>\nContent-Type: multipart/mixed; boundary=b1\n\n--b1\nContent-Type: message/rfc822\n\n${header}From: news@sender.example\nTo: list@sender.example\n\nHello\n--b1--\n`;
    expect(complainants(read(message('X-HmXmrOriginalRecipient: <joe@example.com>\n')))).toEqual([
      complained('joe@example.com'),
    ]);
    expect(complainants(read(message('')))).toEqual(['no_report']);
  });
});

const AT = '2026-11-10T10:00:00.000Z';
const ses = (more: object) =>
  PROVIDERS.ses.read({
    eventType: 'Complaint',
    complaint: { complainedRecipients: [{ emailAddress: 'jane@example.com' }], timestamp: AT, ...more },
    mail: {},
  });
const kumomta = (feedback_report: object) =>
  PROVIDERS.kumomta.read({ type: 'Feedback', recipient: 'fbl@sender.example', feedback_report });
const sparkpost = (more: object) =>
  PROVIDERS.sparkpost.read([
    { msys: { message_event: { type: 'spam_complaint', rcpt_to: 'jane@example.com', ...more } } },
  ]);

describe('a complaint that a provider passes on', () => {
  it.each([
    ['ses', ses({ complaintFeedbackType: 'abuse' })],
    ['ses without a type', ses({})],
    ['ses with null', ses({ complaintFeedbackType: null })],
    ['sparkpost', sparkpost({ fbtype: 'abuse' })],
    ['sparkpost without a type', sparkpost({})],
    ['mailjet', PROVIDERS.mailjet.read({ event: 'spam', email: 'jane@example.com', source: 'JMRPP' })],
    ['mandrill', PROVIDERS.mandrill.read([{ event: 'spam', msg: { email: 'jane@example.com' } }])],
    [
      'mailersend',
      PROVIDERS.mailersend.read({
        type: 'activity.spam_complaint',
        data: { email: { recipient: { email: 'jane@example.com' } } },
      }),
    ],
    ['mailtrap', PROVIDERS.mailtrap.read({ events: [{ event: 'spam', email: 'jane@example.com' }] })],
    ['kumomta', kumomta({ feedback_type: 'abuse', original_rcpto_to: ['<jane@example.com>'] })],
    [
      'kumomta by its trace',
      kumomta({ feedback_type: 'abuse', supplemental_trace: { recipient: 'jane@example.com' } }),
    ],
  ])('counts: %s', (_, events) => expect(complainants(events)).toEqual([complained('jane@example.com')]));

  it.each([
    ['ses', ses({ complaintFeedbackType: 'not-spam' })],
    ['ses', ses({ complaintFeedbackType: 'auth-failure' })],
    ['ses', ses({ complaintFeedbackType: 'virus' })],
    ['ses', ses({ complaintFeedbackType: 'Not-Spam' })],
    ['sparkpost', sparkpost({ fbtype: 'not-spam' })],
    ['sparkpost', sparkpost({ fbtype: 'fraud' })],
    [
      'mailersend',
      PROVIDERS.mailersend.read({ type: 'activity.unsubscribed', data: { email: 'jane@example.com' } }),
    ],
    ['mailtrap', PROVIDERS.mailtrap.read({ events: [{ event: 'unsubscribe', email: 'jane@example.com' }] })],
    ['kumomta', kumomta({ feedback_type: 'fraud', original_rcpto_to: ['<jane@example.com>'] })],
    ['kumomta', kumomta({ original_rcpto_to: ['<jane@example.com>'] })],
  ])('does not count if it is of another type: %s %#', (_, events) =>
    expect(complainants(events)).toEqual(['unknown_event']),
  );
});

describe('a complaint in the log of KumoMTA', () => {
  it('does not accuse the mailbox to which it was sent', () =>
    expect(complainants(kumomta({ feedback_type: 'abuse' }))).toEqual(['no_recipient']));
});

describe.each([
  ['a display name', 'Cora Name <cora@example.com>'],
  ['a quoted display name', '"Name, Cora" <cora@example.com>'],
  ['an address as its display name', '"cora@other.example" <cora@example.com>'],
  ['brackets', '<cora@example.com>'],
  ['encoded words', '=?utf-8?B?SsO8cmdlbg==?= =?iso-8859-1?Q?M=FCller?= <cora@example.com>'],
  ['a comment', 'cora@example.com (Cora Name)'],
  ['quotation marks', '"cora@example.com"'],
  ['white space', ' cora@example.com\n'],
  ['nothing else', 'cora@example.com'],
])('a recipient with %s', (_, email) => {
  it.each<[string, ReportEntry[]]>([
    [
      'ses',
      PROVIDERS.ses.read({
        notificationType: 'Bounce',
        bounce: { bouncedRecipients: [{ emailAddress: email }] },
      }),
    ],
    ['ses, a delivery', PROVIDERS.ses.read({ eventType: 'Delivery', delivery: { recipients: [email] } })],
    ['sendgrid', PROVIDERS.sendgrid.read([{ event: 'bounce', email }])],
    ['postmark', PROVIDERS.postmark.read({ RecordType: 'Bounce', Type: 'HardBounce', Email: email })],
    ['postmark, a delivery', PROVIDERS.postmark.read({ RecordType: 'Delivery', Recipient: email })],
    [
      'mailgun',
      PROVIDERS.mailgun.read({ 'event-data': { event: 'failed', severity: 'permanent', recipient: email } }),
    ],
    ['resend', PROVIDERS.resend.read({ type: 'email.bounced', data: { to: [email] } })],
    ['brevo', PROVIDERS.brevo.read({ event: 'hard_bounce', email })],
    [
      'sparkpost',
      PROVIDERS.sparkpost.read([{ msys: { message_event: { type: 'bounce', raw_rcpt_to: email } } }]),
    ],
    ['postal', PROVIDERS.postal.read({ event: 'MessageSent', payload: { message: { to: email } } })],
    ['mailjet', PROVIDERS.mailjet.read({ event: 'sent', email })],
    ['mandrill', PROVIDERS.mandrill.read([{ event: 'send', msg: { email } }])],
    [
      'mailersend',
      PROVIDERS.mailersend.read({ type: 'activity.delivered', data: { email: { recipient: { email } } } }),
    ],
    ['mailersend, newer', PROVIDERS.mailersend.read({ type: 'activity.delivered', data: { email } })],
    ['mailtrap', PROVIDERS.mailtrap.read({ events: [{ event: 'delivery', email }] })],
    ['kumomta', PROVIDERS.kumomta.read({ type: 'Delivery', recipient: email })],
  ])('is read for %s', (_, events) => {
    expect(events).toEqual([expect.objectContaining({ email: 'cora@example.com' })]);
  });
});
