import { describe, expect, it } from '@jest/globals';
import { read, readingsOf } from '../../support/outcomes/readings.js';

const GHOST = 'ghost@example.com';
const HEAD =
  'From: MAILER-DAEMON@mail.sender.example\nTo: news@acme.example\nSubject: Undelivered\nDate: Tue, 10 Nov 2026 10:00:00 +0000\nMessage-ID: <s1@mail.sender.example>\nMIME-Version: 1.0\n';

interface Parts {
  text?: string;
  returned?: string;
  type?: string;
}
const report = (
  status: string,
  { text = 'Sorry.', returned = 'Subject: News', type = 'message/delivery-status' }: Parts = {},
) =>
  `${HEAD}Content-Type: multipart/report; report-type=delivery-status; boundary="b1"\n\n--b1\nContent-Type: text/plain\n\n${text}\n--b1\nContent-Type: ${type}\n\nReporting-MTA: dns; mail.sender.example\n\n${status}\n\n--b1\nContent-Type: message/rfc822\n\n${returned}\n--b1--\n`;
const failed = (recipient: string, more = 'Status: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1 User unknown') =>
  `Final-Recipient: ${recipient}\nAction: failed\n${more}`;

describe('a delivery status', () => {
  it.each([
    ['plain', `rfc822; ${GHOST}`],
    ['in brackets', `rfc822;<${GHOST}>`],
    ['with a display name', `rfc822; "Ghost, A." <${GHOST}>`],
    ['with a comment', `rfc822; ${GHOST} (Ghost)`],
    ['with a stray bracket', `RFC822; ${GHOST}>`],
    ['folded', `rfc822;\n ${GHOST}`],
    ['without a type', GHOST],
    ['with a source route', `rfc822; <@relay.example,@other.example:${GHOST}>`],
    ['of another type', `unknown; ${GHOST}`],
    ['in UTF-8', `utf-8; ${GHOST}`],
  ])('names an address %s', (_, recipient) => {
    expect(readingsOf(read(report(failed(recipient))))).toEqual([[GHOST, 'hard']]);
  });

  it.each([
    ['as it is', 'utf-8; jürgen@example.com'],
    ['escaped (RFC 6533 §3)', String.raw`utf-8; j\x{FC}rgen@example.com`],
  ])('names an address of more than ASCII, %s', (_, recipient) => {
    const type = 'message/global-delivery-status';
    const [entry] = read(report(failed(recipient, 'Status: 5.1.1'), { type }));
    expect(entry).toMatchObject({ email: 'jürgen@example.com', outcome: 'bounced' });
  });

  it.each(['delayed', 'relayed', 'expanded', ''])('with the action %j decides nothing', (action) => {
    const status = `Final-Recipient: rfc822; ${GHOST}\nAction: ${action}\nStatus: 4.1.1\nDiagnostic-Code: smtp; 550 5.1.1 User unknown`;
    expect(readingsOf(read(report(status)))).toEqual([['', 'not_final']]);
  });

  it.each(['failed', 'Failed', 'FAILED (permanent)', 'failed; gave up'])('reads the action %j', (action) => {
    const status = `Final-Recipient: rfc822; ${GHOST}\nAction: ${action}\nStatus: 5.1.1`;
    expect(readingsOf(read(report(status)))).toEqual([[GHOST, 'hard']]);
  });

  it.each([
    [
      'of Cisco',
      'X-Supplementary-Info: < #5.1.1 smtp;550 5.1.1 The account that you tried to reach does not exist>',
      'hard',
    ],
    ['of Cisco, full', 'X-Supplementary-Info: < #5.2.2 smtp;552 5.2.2 Mailbox full>', 'mailbox_full'],
    [
      'of Cisco, refused',
      'X-Supplementary-Info: < #5.7.1 smtp;554 5.7.1 Client host blocked using zen.spamhaus.org>',
      'sender_blocked',
    ],
    [
      'beside an empty diagnostic',
      'Diagnostic-Code: smtp;\nX-Supplementary-Info: <mx.example.com #5.1.1 smtp;550 5.1.1 Unknown user>',
      'hard',
    ],
    ['of another program', 'X-Remote-Reply: smtp; 550 5.1.1 No such user', 'hard'],
    [
      'after fields that have none',
      'X-Actual-Recipient: rfc822; jane@example.com\nX-Reply: 550 Unknown user',
      'hard',
    ],
    ['that is no reply', 'X-Display-Name: 550 Club', null],
  ])('has its reply in a field of the program: %s', (_, fields, reading) => {
    const status = failed(`rfc822; ${GHOST}`, `Status: 5.0.0 (permanent failure)\n${fields}`);
    const [[, read_] = ['', '']] = readingsOf(read(report(status)));
    if (reading === null) expect(read_).not.toBe('hard');
    else expect(read_).toBe(reading);
  });

  it.each([
    ['5.0.0 (no such user here)', 'hard'],
    ['5.2.0 (Over quota)', 'mailbox_full'],
    ['5.0.0 (permanent failure)', 'policy'],
  ])('is read by the words beside its status alone: %s', (status, reading) => {
    expect(readingsOf(read(report(failed(`rfc822; ${GHOST}`, `Status: ${status}`))))).toEqual([
      [GHOST, reading],
    ]);
  });

  it('may have a semicolon in a diagnostic without a type', () => {
    const status = failed(
      `rfc822; ${GHOST}`,
      'Status: 5.0.0\nDiagnostic-Code: 550 5.1.1 User unknown; see the help',
    );
    expect(readingsOf(read(report(status)))).toEqual([[GHOST, 'hard']]);
  });

  it.each([
    '550 5.1.1 <news@acme.example>: Recipient address rejected: User unknown',
    '550 We asked mx.acme.example about <news@acme.example>: unknown user',
    '550 5.1.1 probe of <verifier@check.example>: user unknown',
    '550 5.1.1 <double-bounce@acme.example>: no such user',
  ])('that quotes the reply to a probe of somebody else says nothing of the recipient: %s', (reply) => {
    const status = failed(`rfc822; ${GHOST}`, `Status: 5.0.0\nDiagnostic-Code: smtp; ${reply}`);
    const [[, reading] = ['', '']] = readingsOf(read(report(status)));
    expect(reading).not.toBe('hard');
  });

  it('that also names the sender is about the recipient', () => {
    const reply = `550 5.1.1 mail of news@acme.example to <${GHOST}>: user unknown`;
    const status = failed(`rfc822; ${GHOST}`, `Status: 5.1.1\nDiagnostic-Code: smtp; ${reply}`);
    expect(readingsOf(read(report(status)))).toEqual([[GHOST, 'hard']]);
  });

  it('without an action is a failure by its status', () => {
    const status = `Final-Recipient: rfc822; ${GHOST}\nStatus: 5.1.1 (no such user)`;
    expect(readingsOf(read(report(status)))).toEqual([[GHOST, 'hard']]);
  });

  it('may leave out the blank line between two recipients', () => {
    const status = [failed(`rfc822; ${GHOST}`), failed('rfc822; full@example.com', 'Status: 5.2.2')].join(
      '\n',
    );
    expect(readingsOf(read(report(status)))).toEqual([
      [GHOST, 'hard'],
      ['full@example.com', 'mailbox_full'],
    ]);
  });

  it('takes a reply from the text where it has none itself', () => {
    const text = [
      '    An error has occurred while attempting to deliver a message for',
      '    the following list of recipients:',
      '',
      `${GHOST}: 550 5.1.1 <${GHOST}>: User unknown`,
      'full@example.com: 552 5.2.2 <full@example.com>: Mailbox full',
    ].join('\n');
    const status = [GHOST, 'full@example.com']
      .map((address) => failed(`rfc822; ${address}`, 'Status: 5.0.0'))
      .join('\n\n');
    expect(readingsOf(read(report(status, { text })))).toEqual([
      [GHOST, 'hard'],
      ['full@example.com', 'mailbox_full'],
    ]);
  });

  it('may be encoded, in a charset, and in nested parts', () => {
    const encoded = Buffer.from(`Reporting-MTA: dns; a\r\n\r\n${failed(`rfc822; ${GHOST}`)}`).toString(
      'base64',
    );
    const nested = `${HEAD}Content-Type: multipart/mixed; boundary=o\n\n--o\nContent-Type: multipart/report; boundary="i"\n\n--i\nContent-Type: multipart/alternative; boundary=a\n\n--a\n\nx\n--a--\n--i\nContent-Type: message/delivery-status; charset=utf-8\nContent-Transfer-Encoding: base64\n\n${encoded}\n--i--\n--o\nContent-Type: text/plain\n\nfooter\n--o--\n`;
    expect(readingsOf(read(nested))).toEqual([[GHOST, 'hard']]);
  });
});

describe('a message that a report returns', () => {
  const other = `--b1\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; a\n\n${failed('rfc822; victim@example.com')}\n`;

  it.each([
    ['reuses the boundary', `Subject: News\n\nHello\n${other}`],
    ['reuses the boundary and ends it', `Subject: News\n\nHello\n${other}--b1--\n${other}`],
    ['reuses the boundary in its header', `Subject: News\n${other}`],
    [
      'is a report itself',
      `Content-Type: multipart/report; boundary=b2\n\n--b2\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; a\n\n${failed('rfc822; victim@example.com')}\n--b2--`,
    ],
    [
      'has a feedback report',
      'Subject: News\n\n--b1\nContent-Type: message/feedback-report\n\nFeedback-Type: abuse\nOriginal-Rcpt-To: victim@example.com\n',
    ],
    [
      'has the header of a complaint at Microsoft',
      'X-HmXmrOriginalRecipient: victim@example.com\nSubject: News\n\nHello',
    ],
  ])('accuses nobody if it %s', (_, returned) => {
    const entries = read(report(failed(`rfc822; ${GHOST}`), { returned }));
    expect(readingsOf(entries)).toEqual([[GHOST, 'hard']]);
  });

  it('accuses nobody if the report has no status of its own', () => {
    const message = report('', { type: 'text/x-other', returned: `Subject: News\n\n${other}` });
    for (const [email] of readingsOf(read(message))) expect(email).toBe('');
  });
});
