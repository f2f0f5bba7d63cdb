/** Messages that cost a parser much more than reading them, where it is not linear. */

const SIZE = 4_900_000;
const HEAD = 'From: MAILER-DAEMON@a.example\nSubject: Undelivered\n';
const filled = (piece: string, size = SIZE) => piece.repeat(Math.ceil(size / piece.length));
const text = (type: string, body: string) => `${HEAD}Content-Type: ${type}\n\n${body}`;
const report = (status: string, more = '') =>
  `${HEAD}Content-Type: multipart/report; boundary=b\n\n--b\n\nText\n--b\nContent-Type: message/delivery-status${more}\n\n${status}\n--b--\n`;
const nested = (depth: number, leaf: string) =>
  HEAD +
  Array.from({ length: depth }, (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\n\n--b${n}\n`).join(
    '',
  ) +
  leaf;
const failed = (n: number, more = '') =>
  `Final-Recipient: rfc822; user${n}@example.com\nAction: failed\nStatus: 5.1.1\n${more}\n`;
const exim = (recipients: string, body: string) =>
  `${HEAD}X-Failed-Recipients: ${recipients}\n\nA message that you sent could not be delivered.\n\n${body}`;

export const HOSTILE_MESSAGES: Readonly<Record<string, () => string>> = {
  'line feeds': () => `${HEAD}\n${filled('\n')}`,
  'carriage returns': () => `${HEAD}\n${filled('\r')}`,
  'HTML of spaces': () => text('text/html', filled(' ')),
  'HTML of tags without an end': () => text('text/html', filled('<a')),
  'HTML of scripts': () => text('text/html', filled('<script>')),
  'HTML of entities': () => text('text/html', filled('&amp;&#1')),
  'format=flowed': () => text('text/plain; format=flowed; delsp=yes', filled('> a \n')),
  'boundaries of other parts': () => text('multipart/mixed; boundary=b', filled('--c\n')),
  'boundaries without parts': () => text('multipart/mixed; boundary=b', filled('--b\n')),
  dashes: () => text('multipart/mixed; boundary=b', filled('\n--')),
  'spaces after a boundary': () => text('multipart/mixed; boundary=b', filled(`\n--b${' '.repeat(180)}x`)),
  'parts without a blank line': () => text('multipart/mixed; boundary=b', filled('--b\nX: y\n')),
  'nested parts, 9 deep': () => nested(9, filled('--b8\n\nx\n')),
  'a boundary of 2,000 characters': () =>
    text(`multipart/mixed; boundary="${'b'.repeat(1_900)}"`, filled('\n--bbbb')),
  'parameters without an end': () => text(`multipart/mixed${filled('; boundary ', 400_000)}`, 'x'),
  'groups in To': () => `${HEAD}To: ${filled('g: ', 469_000)}\n\nHello\n`,
  'header fields': () => `${filled('A: b\n')}\nHello`,
  'continued header fields': () => `Subject: a\n${filled(' \t=?utf-8?q?a?=\n')}\nHello`,
  'encoded words': () => `${HEAD}From: ${filled('=?utf-8?b?', 400_000)}\n\nHello`,
  uuencode: () => `${HEAD}\n${filled(`begin 644 a\n${'M'.repeat(60)}\n`)}`,
  'quoted-printable': () =>
    text('text/plain\nContent-Transfer-Encoding: quoted-printable', filled('=\t=20 =\n')),
  'spaces at the ends of lines': () =>
    text('text/plain\nContent-Transfer-Encoding: quoted-printable', `${filled(' ')}x`),
  base64: () => text('text/plain\nContent-Transfer-Encoding: base64', filled('QQ==\n=')),
  'bytes of no charset': () => text('text/plain; charset=iso-2022-jp', filled('\x1b$B\xff')),
  'groups of a status': () => report(filled('A: b\n\n', 900_000)),
  'recipients of a status': () => report(Array.from({ length: 70_000 }, (_, n) => failed(n)).join('\n')),
  'recipients with long replies': () =>
    report(
      Array.from({ length: 200 }, (_, n) =>
        failed(n, `Diagnostic-Code: smtp; ${filled("550-'said: (reason: ", 900)}\n`),
      ).join('\n'),
    ),
  'a field of a status': () =>
    report(
      `Final-Recipient: rfc822; a@example.com\nAction: failed\nDiagnostic-Code: x\n${filled(' 550-y\n')}`,
    ),
  'an address of a status': () =>
    report(`Final-Recipient: rfc822; ${filled('<"a@', 190_000)}\nAction: failed\nStatus: 5.1.1\n`),
  'a diagnostic of spaces': () => report(failed(1, `Diagnostic-Code: smtp; said:${' '.repeat(190_000)}x`)),
  'a bounce of Exim, one recipient many times': () =>
    exim(filled('ghost@example.com, ', 19_000), `  ghost@example.com\n${filled(' \n\n', 190_000)}`),
  'a bounce of Exim, many recipients': () =>
    exim(
      Array.from({ length: 1_500 }, (_, n) => `user${n}@example.com`).join(', '),
      filled('  user@example.com\n    550 x\n', 190_000),
    ),
  'a bounce of qmail': () =>
    `${HEAD}\nHi. This is the qmail-send program at a.example.\n${filled('\n<a@example.com>:\nSorry. (#5.1.1)\n', 190_000)}`,
  'a bounce of qmail without an end': () =>
    `${HEAD}\nHi. This is the qmail-send program at a.example.\n\n<a@example.com>:\n${filled('Remote host said: ', 190_000)}`,
  'a text of greetings': () => `${HEAD}\n${filled('Hi. This is the ', 190_000)}`,
  'a text of addresses': () => `${HEAD}\nThis is the mail system.\n${filled('\n<a@example.com>: ', 190_000)}`,
};
