/** Writes delivery reports as mail servers do. Each format is modelled on published reports of the program. */

export interface ReportedReply {
  recipient: string;
  /** `550 5.1.1 text`; lines are separated by `|`. */
  reply: string;
  /** The server that replied. */
  remoteHost: string;
}

const DATE = 'Mon, 16 Nov 2026 10:20:30 +0000';
const lines = (...all: readonly string[]) => all.join('\r\n');
const joined = (reply: string) => reply.split('|').join(' ');
const parts = (reply: string) => reply.split('|');
/** The status that a program derives from the reply. */
const statusOf = (reply: string) =>
  /^\d\d\d[ -]([45]\.\d+\.\d+)/.exec(reply)?.[1] ?? `${reply[0] ?? '5'}.0.0`;

function multipart(
  headers: readonly string[],
  text: string,
  status: string,
  original = 'Subject: News\r\nFrom: news@sender.example\r\n',
) {
  return lines(
    ...headers,
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="=_b"',
    '',
    'This is a MIME-encapsulated message.',
    '',
    '--=_b',
    'Content-Type: text/plain; charset=us-ascii',
    '',
    text,
    '',
    '--=_b',
    'Content-Type: message/delivery-status',
    '',
    status,
    '',
    '--=_b',
    'Content-Type: text/rfc822-headers',
    '',
    original,
    '--=_b--',
    '',
  );
}

const headersOf = (from: string, id: string, subject: string) => [
  `From: ${from}`,
  'To: news@sender.example',
  `Subject: ${subject}`,
  `Date: ${DATE}`,
  `Message-ID: <${id}>`,
  'Auto-Submitted: auto-replied',
];

export const REPORT_FORMATS = {
  postfix: ({ recipient, reply, remoteHost }: ReportedReply) =>
    multipart(
      headersOf(
        'MAILER-DAEMON@sender.example (Mail Delivery System)',
        'p1@sender.example',
        'Undelivered Mail Returned to Sender',
      ),
      lines(
        'This is the mail system at host mail.sender.example.',
        '',
        `<${recipient}>: host ${remoteHost}[192.0.2.25] said:`,
        `    ${joined(reply)} (in reply to end of DATA command)`,
      ),
      lines(
        'Reporting-MTA: dns; mail.sender.example',
        'X-Postfix-Queue-ID: 4F2B21A0C5',
        'X-Postfix-Sender: rfc822; news@sender.example',
        `Arrival-Date: ${DATE}`,
        '',
        `Final-Recipient: rfc822; ${recipient}`,
        `Original-Recipient: rfc822;${recipient}`,
        'Action: failed',
        `Status: ${statusOf(reply)}`,
        `Remote-MTA: dns; ${remoteHost}`,
        `Diagnostic-Code: smtp; ${parts(reply).join('\r\n    ')}`,
      ),
    ),

  exim: ({ recipient, reply, remoteHost }: ReportedReply) =>
    multipart(
      [
        `X-Failed-Recipients: ${recipient}`,
        ...headersOf(
          'Mail Delivery System <Mailer-Daemon@sender.example>',
          'e1@sender.example',
          'Mail delivery failed: returning message to sender',
        ),
      ],
      lines(
        'A message that you sent could not be delivered to one or more of its',
        'recipients. This is a permanent error. The following address(es) failed:',
        '',
        `  ${recipient}`,
        `    host ${remoteHost} [192.0.2.25]`,
        `    SMTP error from remote mail server after end of data:`,
        ...parts(reply).map((line) => `    ${line}`),
      ),
      lines(
        'Reporting-MTA: dns; mail.sender.example',
        '',
        'Action: failed',
        `Final-Recipient: rfc822;${recipient}`,
        'Status: 5.0.0',
        `Remote-MTA: dns; ${remoteHost}`,
        `Diagnostic-Code: smtp; ${parts(reply).join('\r\n ')}`,
      ),
    ),

  sendmail: ({ recipient, reply, remoteHost }: ReportedReply) =>
    multipart(
      headersOf(
        'Mail Delivery Subsystem <MAILER-DAEMON@mail.sender.example>',
        's1@mail.sender.example',
        'Returned mail: see transcript for details',
      ),
      lines(
        `The original message was received at ${DATE}`,
        'from localhost [127.0.0.1]',
        '',
        '   ----- The following addresses had permanent fatal errors -----',
        `<${recipient}>`,
        `    (reason: ${parts(reply)[0] ?? ''})`,
        '',
        '   ----- Transcript of session follows -----',
        `... while talking to ${remoteHost}.:`,
        '>>> DATA',
        ...parts(reply).map((line) => `<<< ${line}`),
      ),
      lines(
        'Reporting-MTA: dns; mail.sender.example',
        'Received-From-MTA: DNS; localhost',
        `Arrival-Date: ${DATE}`,
        '',
        `Final-Recipient: RFC822; ${recipient}`,
        'Action: failed',
        `Status: ${statusOf(reply)}`,
        `Remote-MTA: DNS; ${remoteHost}`,
        `Diagnostic-Code: SMTP; ${joined(reply)}`,
        `Last-Attempt-Date: ${DATE}`,
      ),
    ),

  qmail: ({ recipient, reply }: ReportedReply) =>
    lines(
      ...headersOf('MAILER-DAEMON@mail.sender.example', 'q1@mail.sender.example', 'failure notice'),
      '',
      'Hi. This is the qmail-send program at mail.sender.example.',
      "I'm afraid I wasn't able to deliver your message to the following addresses.",
      "This is a permanent error; I've given up. Sorry it didn't work out.",
      '',
      `<${recipient}>:`,
      '192.0.2.25 failed after I sent the message.',
      `Remote host said: ${parts(reply).join('\r\n')}`,
      '',
      '--- Below this line is a copy of the message.',
      '',
      'Return-Path: <news@sender.example>',
      'To: somebody@else.example',
      '',
    ),

  exchange: ({ recipient, reply }: ReportedReply) =>
    multipart(
      [
        ...headersOf(
          'Microsoft Outlook <MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@sender.example>',
          'x1@AM0PR01.prod.outlook.com',
          'Undeliverable: News',
        ),
        'X-MS-Exchange-Message-Is-Ndr:',
      ],
      lines(
        `Your message to ${recipient} couldn't be delivered.`,
        '',
        `Remote Server returned '${joined(reply)}'`,
      ),
      lines(
        'Reporting-MTA: dns;AM0PR01MB1234.eurprd01.prod.exchangelabs.com',
        'Received-From-MTA: dns;VI1PR01MB5678.eurprd01.prod.exchangelabs.com',
        `Arrival-Date: ${DATE}`,
        '',
        `Final-Recipient: rfc822;${recipient}`,
        'Action: failed',
        `Status: ${statusOf(reply)}`,
        `Diagnostic-Code: smtp;${joined(reply)}`,
        `X-Display-Name: ${recipient}`,
      ),
    ),

  gmail: ({ recipient, reply, remoteHost }: ReportedReply) =>
    multipart(
      [
        ...headersOf(
          'Mail Delivery Subsystem <mailer-daemon@googlemail.com>',
          'g1@mx.google.com',
          'Delivery Status Notification (Failure)',
        ),
        `X-Failed-Recipients: ${recipient}`,
      ],
      lines(
        '** Address not found **',
        '',
        `Your message wasn't delivered to ${recipient} because the address couldn't be found.`,
        '',
        'The response from the remote server was:',
        joined(reply),
      ),
      lines(
        'Reporting-MTA: dns; googlemail.com',
        'Received-From-MTA: dns; news@sender.example',
        `Arrival-Date: ${DATE}`,
        'X-Original-Message-ID: <original@sender.example>',
        '',
        `Final-Recipient: rfc822; ${recipient}`,
        'Action: failed',
        `Status: ${statusOf(reply)}`,
        `Remote-MTA: dns; ${remoteHost}. (192.0.2.25, the server for the domain ${recipient.split('@')[1] ?? ''}.)`,
        `Diagnostic-Code: smtp; ${joined(reply)}`,
        'Last-Attempt-Date: Mon, 16 Nov 2026 02:20:30 -0800 (PST)',
      ),
    ),
} as const;
export type ReportFormat = keyof typeof REPORT_FORMATS;

export interface ComplaintOptions {
  type?: string;
  rcptTo?: string | null;
  to?: string;
}

/** A complaint (RFC 5965 §B). */
export function aComplaint({
  type = 'abuse',
  rcptTo = 'jane@example.com',
  to = 'undisclosed',
}: ComplaintOptions = {}) {
  return lines(
    'From: <abusedesk@provider.example>',
    `Date: ${DATE}`,
    'Subject: FW: News',
    'To: <abuse@sender.example>',
    'Message-ID: <20261116.1234@provider.example>',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=feedback-report; boundary="part1"',
    '',
    '--part1',
    'Content-Type: text/plain; charset="US-ASCII"',
    '',
    'This is an email abuse report.',
    '',
    '--part1',
    'Content-Type: message/feedback-report',
    '',
    `Feedback-Type: ${type}`,
    'User-Agent: SomeGenerator/1.0',
    'Version: 1',
    'Original-Mail-From: <news@sender.example>',
    ...(rcptTo === null ? [] : [`Original-Rcpt-To: <${rcptTo}>`]),
    'Received-Date: Mon, 16 Nov 2026 09:00:00 +0000',
    '',
    '--part1',
    'Content-Type: message/rfc822',
    'Content-Disposition: inline',
    '',
    'From: <news@sender.example>',
    `To: ${to}`,
    'Subject: News',
    '',
    'Hello',
    '--part1--',
    '',
  );
}
