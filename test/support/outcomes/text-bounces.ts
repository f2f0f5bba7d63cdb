import { aTextMessage, lines, RETURNED, whole, type TextBounce } from './text-message.js';
import { SERVERS } from './text-bounces-of-servers.js';

/** Writes bounces without a machine-readable part, by the program that writes them for people. */

/** Of programs that relay mail. */
const RELAYS: Readonly<Record<string, (bounce: TextBounce) => string>> = {
  qmail: (bounce) =>
    aTextMessage(
      lines(
        'Hi. This is the qmail-send program at mail.sender.example.',
        "I'm afraid I wasn't able to deliver your message to the following addresses.",
        "This is a permanent error; I've given up. Sorry it didn't work out.",
        '',
        `<${bounce.recipient}>:`,
        '192.0.2.25 does not like recipient.',
        `Remote host said: ${whole(bounce)}`,
        'Giving up on 192.0.2.25.',
        '',
        '--- Below this line is a copy of the message.',
        '',
        RETURNED,
      ),
    ),
  Haraka: (bounce) =>
    aTextMessage(
      lines(
        'Hi. This is the Haraka Mailer program at mail.sender.example.',
        "I'm afraid I wasn't able to deliver your message to the following addresses.",
        "This is a permanent error; I've given up. Sorry it didn't work out.",
        '',
        `Intended Recipients: <${bounce.recipient}>`,
        `Failure Reason: ${whole(bounce)}`,
        '',
        '--- Below this line is a copy of the message.',
        '',
        RETURNED,
      ),
    ),
  Yahoo: (bounce) =>
    aTextMessage(
      lines(
        'Sorry, we were unable to deliver your message to the following address.',
        '',
        `<${bounce.recipient}>:`,
        'Remote host said:',
        whole(bounce),
        '[RCPT_TO]',
        '',
        '--- Below this line is a copy of the message.',
        '',
        RETURNED,
      ),
      { from: 'MAILER-DAEMON@yahoo.example', subject: 'Failure Notice' },
    ),
  'Yahoo, with a colon': ({ recipient, code, status, text }) =>
    aTextMessage(
      lines(
        'Sorry, we were unable to deliver your message to the following address.',
        '',
        `<${recipient}>:`,
        `${code}: ${status} ${text}`,
        '',
        '--- Below this line is a copy of the message.',
        '',
        RETURNED,
      ),
    ),
  'DragonFly Mail Agent': (bounce) =>
    aTextMessage(
      lines(
        'This is the DragonFly Mail Agent v0.13 at mail.sender.example.',
        '',
        `There was an error delivering your mail to <${bounce.recipient}>.`,
        '',
        'mx.example.com [192.0.2.25] did not like our RCPT TO:',
        whole(bounce),
        '',
        'Message headers follow.',
        '',
        RETURNED,
      ),
      { from: 'MAILER-DAEMON <>', subject: 'Mail delivery failed' },
    ),
  OpenSMTPD: (bounce) =>
    aTextMessage(
      lines(
        '    Hi!',
        '',
        '    This is the MAILER-DAEMON, please DO NOT REPLY to this email.',
        '',
        '    An error has occurred while attempting to deliver a message for',
        '    the following list of recipients:',
        '',
        `${bounce.recipient}: ${whole(bounce)}`,
        '',
        '    Below is a copy of the original message:',
        '',
        RETURNED,
      ),
    ),
  Zoho: ({ recipient, code, status, text }) =>
    aTextMessage(
      lines(
        'This message was created automatically by mail delivery software.',
        'A message that you sent could not be delivered to one or more of its recipients. This is a permanent error. ',
        '',
        `${recipient} Invalid Address, ERROR_CODE :${code}, ERROR_CODE :${status} ${text}`,
        '',
        '',
        'Received:from mail.zoho.example by mx.zohomail.example',
        '\twith SMTP id 1; Tue, 10 Nov 2026 09:59:00 +0000',
        'To:<somebody@else.example>',
      ),
      { from: 'mailer-daemon@mail.zoho.example', headers: ['X-Mailer: Zoho Mail'] },
    ),
  'GMX and Web.de': ({ recipient, status, text }) =>
    aTextMessage(
      lines(
        'This message was created automatically by mail delivery software.',
        '',
        'A message that you sent could not be delivered to one or more of',
        'its recipients. This is a permanent error. The following address',
        'failed:',
        '',
        `"${recipient}":`,
        'SMTP error from remote server after RCPT command:',
        'host: mx.example.com',
        `${status} ${text}`,
        '',
        '',
        '--- The header of the original message is following. ---',
        '',
        RETURNED,
      ),
      { from: 'MAILER-DAEMON@mail.gmx.example' },
    ),
  Exim: (bounce) =>
    aTextMessage(
      lines(
        'This message was created automatically by mail delivery software.',
        '',
        'A message that you sent could not be delivered to one or more of its',
        'recipients. This is a permanent error. The following address(es) failed:',
        '',
        `  ${bounce.recipient}`,
        `    SMTP error from remote mail server after RCPT TO:<${bounce.recipient}>:`,
        `    host mx.example.com [192.0.2.25]: ${whole(bounce)}`,
        '',
        '------ This is a copy of the message, including all the headers. ------',
        '',
        RETURNED,
      ),
    ),
  'Exim in another language': (bounce) =>
    aTextMessage(
      lines(
        'Ihre Nachricht konnte nicht zugestellt werden:',
        '',
        `  ${bounce.recipient}`,
        `    host mx.example.com [192.0.2.25]: ${whole(bounce)}`,
        '',
      ),
      { headers: [`X-Failed-Recipients: ${bounce.recipient}`] },
    ),
  Gmail: (bounce) =>
    aTextMessage(
      lines(
        'Delivery to the following recipient failed permanently:',
        '',
        `     ${bounce.recipient}`,
        '',
        'Technical details of permanent failure: ',
        'Google tried to deliver your message, but it was rejected by the server for the recipient domain example.com by mx.example.com. [192.0.2.25].',
        '',
        'The error that the other server returned was:',
        whole(bounce),
        '',
        '----- Original message -----',
        '',
        RETURNED,
      ),
      { headers: [`X-Failed-Recipients: ${bounce.recipient}`] },
    ),
};

export const TEXT_BOUNCES: Readonly<Record<string, (bounce: TextBounce) => string>> = {
  ...RELAYS,
  ...SERVERS,
};
