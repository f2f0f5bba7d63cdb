import { aTextMessage, lines, RETURNED, whole, type TextBounce } from './text-message.js';

/** Of servers for offices, of gateways, and of programs that quote a session. */
export const SERVERS: Readonly<Record<string, (bounce: TextBounce) => string>> = {
  hMailServer: (bounce) =>
    aTextMessage(
      lines(
        'Your message did not reach some or all of the intended recipients.',
        '',
        '   Sent: Tue, 10 Nov 2026 09:59:29 +0000',
        '   Subject: November news',
        '',
        'The following recipient(s) could not be reached:',
        '',
        bounce.recipient,
        '   Error Type: SMTP',
        '   Remote server (192.0.2.25) issued an error.',
        `   hMailServer sent: RCPT TO:<${bounce.recipient}>`,
        `   Remote server replied: ${whole(bounce)}`,
        '',
        'hMailServer',
      ),
      { from: 'mailer-daemon@sender.example', subject: 'Message undeliverable: November news' },
    ),
  'Exchange 2003': (bounce) =>
    aTextMessage(
      lines(
        'Your message did not reach some or all of the intended recipients.',
        '',
        '      Subject:\tNovember news',
        '      Sent:\t11/10/2026 9:59 AM',
        '',
        'The following recipient(s) could not be reached:',
        '',
        `      ${bounce.recipient} on 11/10/2026 10:00 AM`,
        "            There was a SMTP communication problem with the recipient's email server.",
        `            <mx.example.com #5.1.1 smtp;${whole(bounce)}>`,
      ),
    ),
  'Exchange 2007': ({ recipient, code, status, text }) =>
    aTextMessage(
      lines(
        'Delivery has failed to these recipients or distribution lists:',
        '',
        `Jane<mailto:${recipient}>`,
        'Microsoft Exchange will not try to redeliver this message for you.',
        '',
        'Diagnostic information for administrators:',
        '',
        'Generating server: mail.sender.example',
        '',
        recipient,
        `mx.example.com #${code} ${status} ${text} ##`,
        '',
        'Original message headers:',
        '',
        RETURNED,
      ),
    ),
  'Exchange Online': (bounce) =>
    aTextMessage(
      lines(
        'Delivery has failed to these recipients or groups:',
        '',
        `${bounce.recipient}<mailto:${bounce.recipient}>`,
        "The email address you entered couldn't be found.",
        '',
        'Diagnostic information for administrators:',
        '',
        'Generating server: AM0PR01MB1234.eurprd01.prod.outlook.com',
        '',
        bounce.recipient,
        `11/10/2026 10:00:00 AM - Server at mx.example.com returned '${whole(bounce)}'`,
        '',
        'Original message headers:',
        '',
        RETURNED,
      ),
    ),
  GroupWise: (bounce) =>
    aTextMessage(
      lines(
        'The message that you sent was undeliverable to the following:',
        `\t${bounce.recipient} (${whole(bounce)})`,
        '',
        'Possibly truncated original message follows:',
        '',
        RETURNED,
      ),
      { subject: 'Message status - undeliverable' },
    ),
  MDaemon: (bounce) =>
    aTextMessage(
      lines(
        'The attached message had PERMANENT fatal delivery errors.',
        '',
        'YOUR MESSAGE WAS NOT DELIVERED TO ONE OR MORE RECIPIENTS',
        '',
        `Failed address: ${bounce.recipient}`,
        '',
        '--- Session Transcript ---',
        'Tue 2026-11-10 10:00:00: <-- 220 mx.example.com ESMTP',
        'Tue 2026-11-10 10:00:00: --> MAIL From:<news@sender.example>',
        'Tue 2026-11-10 10:00:00: <-- 250 OK',
        `Tue 2026-11-10 10:00:00: --> RCPT To:<${bounce.recipient}>`,
        `Tue 2026-11-10 10:00:00: <-- ${whole(bounce)}`,
        'Tue 2026-11-10 10:00:00: --> QUIT',
        'Tue 2026-11-10 10:00:00: <-- 221 Bye',
        '--- End Transcript ---',
      ),
      { subject: 'Permanent Delivery Failure' },
    ),
  Kerio: (bounce) =>
    aTextMessage(
      lines(
        'Your message was not delivered to the following recipients:',
        '',
        `<${bounce.recipient}>: ${whole(bounce)}`,
        '',
        '--- Original message',
        RETURNED,
      ),
    ),
  Mimecast: (bounce) =>
    aTextMessage(
      lines(
        'This is an automated alert notification. Please do not reply.',
        '',
        'An email that you attempted to send to the following address could not be delivered:',
        `-- ${bounce.recipient}`,
        '',
        'The problem appears to be :',
        '-- Recipient email address is possibly incorrect',
        '',
        'Additional information follows :',
        `-- ${whole(bounce)}`,
        '',
        'This condition occurred after 1 attempt(s) to deliver over a period of 0 hour(s).',
      ),
      { from: 'postmaster <postmaster@gateway.example>', subject: '[Postmaster] Email Delivery Failure' },
    ),
  'Amazon WorkMail': (bounce) =>
    aTextMessage(
      lines(
        'An error occurred while trying to deliver the mail to the following recipients:',
        bounce.recipient,
        '',
        'Technical report:',
        '',
        'Reporting-MTA: dsn; a1.smtp-out.us-west-2.amazonses.example',
        '',
        'Action: failed',
        `Final-Recipient: rfc822; ${bounce.recipient}`,
        `Diagnostic-Code: smtp; ${whole(bounce)}`,
        `Status: ${bounce.status}`,
        '',
      ),
      { headers: ['X-Mailer: Amazon WorkMail'] },
    ),
  Sendmail: (bounce) =>
    aTextMessage(
      lines(
        'The original message was received at Tue, 10 Nov 2026 09:59:00 GMT',
        '',
        '   ----- The following addresses had permanent fatal errors -----',
        `<${bounce.recipient}>`,
        `    (reason: ${whole(bounce)})`,
        '',
        '   ----- Transcript of session follows -----',
        '... while talking to mx.example.com.:',
        '>>> DATA',
        `<<< ${whole(bounce)}`,
      ),
    ),
  McAfee: (bounce) =>
    aTextMessage(
      lines(
        '    --- The following addresses had delivery problems ---',
        '',
        `<${bounce.recipient}>   (${whole(bounce)})`,
      ),
    ),
  Postfix: (bounce) =>
    aTextMessage(
      lines(
        'This is the mail system at host mail.sender.example.',
        '',
        "I'm sorry to have to inform you that your message could not",
        "be delivered to one or more recipients. It's attached below.",
        '',
        `<${bounce.recipient}>: host mx.example.com[192.0.2.25] said:`,
        `    ${whole(bounce)} (in reply to RCPT TO command)`,
      ),
    ),
  'a transcript': (bounce) =>
    aTextMessage(
      lines(
        'Each of the following recipients was rejected by a remote mail server.',
        '',
        `    Recipient: <${bounce.recipient}>`,
        `    >>> RCPT TO:<${bounce.recipient}>`,
        `    <<< ${whole(bounce)}`,
      ),
      { from: 'Postmaster@mail.example' },
    ),
};
