import { describe, expect, it } from '@jest/globals';
import assert from 'node:assert/strict';
import { NAMES, readCorpus } from '../../../bench/replies/samples.js';
import { isHard, readBounce } from '../../../src/engine/replies/bounce-reply.js';
import { smtpReply } from '../../../src/engine/replies/smtp-reply.js';
import { providerOf } from '../../../src/engine/providers/mail-exchange.js';
import { parseMessage } from '../../../src/modules/events/outcome-intake/domain/reports/parse-message.js';
import { readReport } from '../../../src/modules/events/outcome-intake/domain/reports/read-report.js';
import { quotedReply } from '../../../src/engine/replies/quoted-reply.js';
import type { OutcomeReport } from '../../../src/kernel/outcome-report.js';
import { aComplaint, REPORT_FORMATS, type ReportFormat } from '../../support/outcomes/delivery-reports.js';

const FORMATS = Object.keys(REPORT_FORMATS) as ReportFormat[];
/** A server of the provider, by which the reply is classified. */
const HOSTS: Readonly<Record<string, string>> = {
  google: 'gmail-smtp-in.l.google.com',
  microsoft: 'example-com.mail.protection.outlook.com',
  yahoo: 'mta5.am0.yahoodns.net',
};

const read = (message: string) => readReport(parseMessage(Buffer.from(message)));

function recipientIn(message: string): OutcomeReport {
  const recipients = read(message);
  const [recipient] = recipients;
  assert(recipient !== undefined && !('message' in recipient), JSON.stringify(recipients));
  return recipient;
}

function replyOf({ reply }: OutcomeReport) {
  const quoted = quotedReply(reply ?? '');
  assert(quoted !== null);
  return smtpReply(quoted.code, quoted.lines);
}

function meaningOf(report: OutcomeReport) {
  const { finalRecipient = '', remoteHost } = report;
  const provider = remoteHost ? providerOf(remoteHost) : null;
  return readBounce({ reply: replyOf(report), recipient: finalRecipient, provider });
}

describe.each(FORMATS)('a report of %s', (format) => {
  const reportOf = (reply: string, recipient = NAMES.recipient, remoteHost = 'mx.example.com') =>
    REPORT_FORMATS[format]({ recipient, reply, remoteHost });

  it('names the recipient, the reply, and the Message-ID of the report', () => {
    const message = reportOf(
      '550 5.1.1 <ghost.person@example.com>: Recipient address rejected: User unknown',
    );
    const recipient = recipientIn(message);
    expect(recipient.messageId).toMatch(/^<[a-z]1@.*>$/);
    expect(recipient).toMatchObject({ email: NAMES.recipient, outcome: 'bounced' });
    expect(recipient.at?.toISOString()).toBe('2026-11-16T10:20:30.000Z');
    const { code, enhancedCode, text } = replyOf(recipient);
    expect({ code, enhancedCode }).toEqual({ code: 550, enhancedCode: '5.1.1' });
    expect(text).toBe('<ghost.person@example.com>: Recipient address rejected: User unknown');
    expect(meaningOf(recipient).category).toBe('mailbox_not_found');
  });

  it('keeps all lines of a reply', () => {
    const reply =
      '550-5.1.1 The email account that you tried to reach does|550-5.1.1 not exist. Please try|550 5.1.1 double-checking - gsmtp';
    const recipient = recipientIn(reportOf(reply));
    const { text } = replyOf(recipient);
    expect(text).toBe(
      'The email account that you tried to reach does not exist. Please try double-checking - gsmtp',
    );
  });

  it('never makes a refusal by policy, reputation or content a missing mailbox, in all replies of the corpus', () => {
    const rows = readCorpus().filter(({ doubtful, text }) => !doubtful && /^[45]\d\d/.test(text));
    const harmless = new Set(['policy_or_blocked', 'temporary', 'other', 'full']);
    const wrong: string[] = [];
    let missing = 0;
    let recognised = 0;
    for (const { text, truth_class, provider_hint } of rows) {
      const host = HOSTS[provider_hint ?? ''] ?? 'mx.example.com';
      const recipient = recipientIn(reportOf(text, NAMES.recipient, host));
      const hard = isHard(meaningOf(recipient).category);
      if (harmless.has(truth_class) && hard) wrong.push(text);
      if (truth_class === 'unknown_user' && /^5/.test(text)) {
        missing += 1;
        recognised += hard ? 1 : 0;
      }
    }
    expect(wrong).toEqual([]);
    expect(missing).toBeGreaterThan(100);
    expect(recognised / missing).toBeGreaterThan(0.85);
  });

  it.each([
    '552 5.3.4 Message size exceeds fixed limit',
    '554 5.7.1 Message rejected due to content restrictions',
    '550 5.7.1 Virus found: the user mailbox does not exist on this list',
    '554 5.6.0 Message contains invalid header',
    '550 5.2.3 Message too large for this recipient',
    '550 High probability of spam. No such user here wants it',
    '552 5.7.0 This message was blocked because its content presents a potential security issue',
    '554 5.7.9 Message not accepted for policy reasons: DMARC',
  ])('never makes a refusal of the message a missing mailbox: %s', (reply) => {
    expect(isHard(meaningOf(recipientIn(reportOf(reply))).category)).toBe(false);
  });
});

describe('a delivery report', () => {
  const report = (status: string, text = 'Report', headers = '') =>
    `From: a@b.example\r\nDate: Mon, 16 Nov 2026 10:20:30 +0000\r\n${headers}Content-Type: multipart/report; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\n${text}\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\n${status}\r\n--b--\r\n`;

  it('may be about several recipients, with different outcomes', () => {
    const recipients = read(
      report(
        [
          'Reporting-MTA: dns; mx.b.example',
          '',
          'Final-Recipient: rfc822; a@example.com\r\nAction: failed\r\nStatus: 5.1.1',
          '',
          'Final-Recipient: rfc822; b@example.com\r\nAction: delivered\r\nStatus: 2.0.0',
          '',
          'Final-Recipient: rfc822; c@example.com\r\nAction: delayed\r\nStatus: 4.4.1',
          '',
          'Action: failed\r\nStatus: 5.1.1',
        ].join('\r\n'),
      ),
    );
    expect(
      recipients.map((found) => ('message' in found ? found.code : [found.email, found.outcome])),
    ).toEqual([['a@example.com', 'bounced'], ['b@example.com', 'delivered'], 'not_final', 'no_recipient']);
  });

  it('counts for the address that was written, also if the mail was forwarded', () => {
    const status =
      'Reporting-MTA: dns; a\r\n\r\nOriginal-Recipient: rfc822;jane@example.com\r\nFinal-Recipient: rfc822;jane@forward.example\r\nAction: failed\r\nStatus: 5.1.1\r\nDiagnostic-Code: smtp; 550 5.1.1 <jane@forward.example> unknown user';
    const recipient = recipientIn(report(status));
    expect(recipient).toMatchObject({ email: 'jane@example.com', finalRecipient: 'jane@forward.example' });
    expect(meaningOf(recipient).category).toBe('mailbox_not_found');
  });

  it('of the sending server about itself says nothing about the mailbox', () => {
    for (const diagnostic of [
      'X-Postfix; Host or domain name not found. Name service error for name=example.com type=A: Host not found',
      'X-Postfix; connect to mx.example.com[192.0.2.1]:25: Connection timed out',
      'X-Postfix; mail forwarding loop for ghost@example.com',
    ]) {
      const status = `Reporting-MTA: dns; a\r\n\r\nFinal-Recipient: rfc822; ghost@example.com\r\nAction: failed\r\nStatus: 5.4.4\r\nDiagnostic-Code: ${diagnostic}`;
      expect(isHard(meaningOf(recipientIn(report(status))).category)).toBe(false);
    }
    const local =
      'Reporting-MTA: dns; a\r\n\r\nFinal-Recipient: rfc822; ghost@example.com\r\nAction: failed\r\nStatus: 5.1.1\r\nDiagnostic-Code: X-Postfix; unknown user: "ghost"';
    expect(meaningOf(recipientIn(report(local))).category).toBe('mailbox_not_found');
  });

  it('without a status may be one of an older Exim or of qmail-local', () => {
    const exim =
      'From: x@y.example\r\nX-Failed-Recipients: ghost@example.com\r\n\r\nA message that you sent could not be delivered.\r\n\r\n  ghost@example.com\r\n    SMTP error from remote mail server after RCPT TO:<ghost@example.com>:\r\n    host mx.example.com [192.0.2.1]: 550 5.1.1 <ghost@example.com>: No such user\r\n\r\n------ This is a copy\r\n';
    expect(meaningOf(recipientIn(exim)).category).toBe('mailbox_not_found');
    const qmail =
      'From: x@y.example\r\n\r\nHi. This is the qmail-send program at a.example.\r\n\r\n<ghost@example.com>:\r\nSorry, no mailbox here by that name. (#5.1.1)\r\n\r\n--- Below this line is a copy of the message.\r\n\r\n<other@example.com>:\r\nSorry\r\n';
    expect(read(qmail)).toHaveLength(1);
    expect(meaningOf(recipientIn(qmail)).category).toBe('mailbox_not_found');
  });

  it.each([
    ['From: a@b.example\r\nSubject: Hello\r\n\r\nThe user unknown to me said 550 5.1.1', 'no_report'],
    [report('Reporting-MTA: dns; a'), 'no_recipient'],
    [report(''), 'no_recipient'],
  ])('without a recipient is ignored with its reason %#', (message, code) => {
    expect(read(message)).toEqual([expect.objectContaining({ code })]);
  });
});

describe('a complaint', () => {
  it('names the recipient', () => {
    expect(recipientIn(aComplaint())).toMatchObject({
      email: 'jane@example.com',
      outcome: 'complained',
    });
  });
  it('names the only recipient of the message if the provider does not', () => {
    const to = 'Joe <joe@example.com>';
    expect(recipientIn(aComplaint({ rcptTo: null, to }))).toMatchObject({ email: 'joe@example.com' });
  });
  it.each([
    [{ rcptTo: null, to: 'a@example.com, b@example.com' }, 'no_recipient'],
    [{ rcptTo: null }, 'no_recipient'],
    [{ type: 'not-spam' }, 'not_final'],
  ])('without a sole recipient, or of another type, is none %#', (options, code) => {
    expect(read(aComplaint(options))).toEqual([expect.objectContaining({ code })]);
  });
});
