/** What a recording asks a mail server of example.com, which has the mailbox jane@example.com. */
export interface Dialogue {
  title: string;
  /** Lines that are sent together are an array. `TLS` begins the handshake. `DATA` sends a message after it. */
  says: readonly (string | readonly string[])[];
  /** Other sessions that are open meanwhile. */
  beside?: number;
}

const EHLO = 'EHLO verifier.example.net';
const MAIL = 'MAIL FROM:<probe@verifier.example.net>';
const KNOWN = 'RCPT TO:<jane@example.com>';
const UNKNOWN = 'RCPT TO:<nobody.here@example.com>';

export const DIALOGUES: readonly Dialogue[] = [
  { title: 'a probe', says: [EHLO, MAIL, KNOWN, UNKNOWN, 'RSET', 'QUIT'] },
  { title: 'a probe after HELO', says: ['HELO verifier.example.net', MAIL, KNOWN, UNKNOWN, 'QUIT'] },
  { title: 'an empty sender', says: [EHLO, 'MAIL FROM:<>', KNOWN, UNKNOWN, 'QUIT'] },
  { title: 'pipelining', says: [EHLO, [MAIL, KNOWN, UNKNOWN, 'RSET'], 'QUIT'] },
  { title: 'a second transaction', says: [EHLO, MAIL, UNKNOWN, 'RSET', MAIL, KNOWN, 'QUIT'] },
  { title: 'MAIL in a transaction', says: [EHLO, MAIL, MAIL, 'QUIT'] },
  { title: 'a domain of others', says: [EHLO, MAIL, 'RCPT TO:<jane@elsewhere.example.org>', 'QUIT'] },
  { title: 'TLS', says: [EHLO, 'STARTTLS', 'TLS', EHLO, MAIL, KNOWN, UNKNOWN, 'QUIT'] },
  { title: 'STARTTLS twice', says: [EHLO, 'STARTTLS', 'TLS', EHLO, 'STARTTLS', 'QUIT'] },
  { title: 'BODY and SIZE', says: [EHLO, `${MAIL} BODY=8BITMIME SIZE=1000`, KNOWN, 'QUIT'] },
  { title: 'a message that is too large', says: [EHLO, `${MAIL} SIZE=99999999999`, 'QUIT'] },
  { title: 'SMTPUTF8', says: [EHLO, `${MAIL} SMTPUTF8`, 'RCPT TO:<jürgen@example.com>', 'QUIT'] },
  { title: 'UTF-8 without SMTPUTF8', says: [EHLO, MAIL, 'RCPT TO:<jürgen@example.com>', 'QUIT'] },
  { title: 'a quoted local part', says: [EHLO, MAIL, 'RCPT TO:<"jane doe"@example.com>', 'QUIT'] },
  { title: 'an address without brackets', says: [EHLO, MAIL, 'RCPT TO:jane@example.com', 'QUIT'] },
  { title: 'an address that is none', says: [EHLO, MAIL, 'RCPT TO:<jane@@example.com>', 'QUIT'] },
  { title: 'RCPT before MAIL', says: [EHLO, KNOWN, 'QUIT'] },
  { title: 'MAIL before EHLO', says: [MAIL, KNOWN, 'QUIT'] },
  { title: 'EHLO without a name', says: ['EHLO', 'QUIT'] },
  { title: 'a name without a dot', says: ['EHLO verifier', MAIL, KNOWN, 'QUIT'] },
  { title: 'an address as a name', says: ['EHLO [127.0.0.1]', MAIL, KNOWN, 'QUIT'] },
  { title: 'VRFY', says: [EHLO, 'VRFY jane@example.com', 'QUIT'] },
  { title: 'other commands', says: [EHLO, 'NOOP', 'HELP', 'EXPN all', 'NONSENSE', '', 'QUIT'] },
  { title: 'a message of two lines', says: [EHLO, MAIL, KNOWN, 'DATA', 'QUIT'] },
  { title: 'DATA without a recipient', says: [EHLO, MAIL, UNKNOWN, 'DATA', 'QUIT'] },
  { title: 'many unknown users', says: [EHLO, MAIL, ...Array<string>(25).fill(UNKNOWN), 'QUIT'] },
  {
    title: 'commands in lower case',
    says: [EHLO.toLowerCase(), MAIL.toLowerCase(), 'rcpt to:<JANE@EXAMPLE.COM>', 'quit'],
  },
  { title: 'another session', says: [EHLO, 'QUIT'], beside: 3 },
];
