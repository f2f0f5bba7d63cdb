import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { SocksRecording } from './recording.js';
import { octetsOf } from './sent-octets.js';

const HELP = `Records what a SOCKS proxy on 127.0.0.1 answers, in ${import.meta.dirname}/NAME.json.

  npm run ts test/support/recorded/socks/record.main.ts NAME PORT PROGRAM [USER PASSWORD]

  npm run ts test/support/recorded/socks/record.main.ts openssh 1080 'OpenSSH 9.2p1, ssh -D'

The mail server behind it is this process: it greets with 220, on a port of 127.0.0.1 and of ::1.
`;
const BANNER = '220 mx.test ESMTP\r\n';

const [name, port, program, user, password] = process.argv.slice(2);
if (name === undefined || port === undefined || program === undefined) {
  process.stderr.write(HELP);
  process.exit(64);
}

const mailServer = createServer((socket) => socket.on('error', () => undefined).write(BANNER));
mailServer.listen({ port: 0, host: '::', ipv6Only: false });
await once(mailServer, 'listening');
const target = (mailServer.address() as AddressInfo).port;

const text = (value: string) => `${hex(value.length, 2)}${Buffer.from(value).toString('hex')}`;
const account = user === undefined ? [] : [`01${text(user)}${text(password ?? '')}`];
const greeting = user === undefined ? '050100' : '050102';
const v4 = '050100017f000001';
const v6 = `05010004${'0'.repeat(31)}1`;
const byName = (host: string) => `05010003${text(host)}`;

/** The octets of each are sent when the answer to those before has come. */
const SENT: Readonly<Record<string, readonly string[]>> = {
  'to an IPv4 address': [greeting, ...account, v4 + hex(target, 4)],
  'to an IPv6 address': [greeting, ...account, v6 + hex(target, 4)],
  'to a name': [greeting, ...account, byName('localhost') + hex(target, 4)],
  'to a name that does not exist': [greeting, ...account, byName('nowhere.invalid') + hex(target, 4)],
  'to a closed port': [greeting, ...account, v4 + hex(1, 4)],
  'BIND in place of CONNECT': [greeting, ...account, `0502${v4.slice(4)}${hex(target, 4)}`],
  'another address type': [greeting, ...account, `05010009${hex(target, 4)}`],
  'no method that it knows': ['0501aa'],
  'both methods': ['05020002'],
  'no authentication': ['050100'],
  'a name and a password': ['050102', `01${text('somebody')}${text('wrong')}`],
  'version 4': [`0401${hex(target, 4)}7f00000100`],
};

const exchanges: SocksRecording['exchanges'] = [];
for (const [title, sent] of Object.entries(SENT))
  exchanges.push({ title, octets: await octetsOf(Number(port), sent, target) });
mailServer.close();
const file = join(import.meta.dirname, `${name}.json`);
const lines = exchanges.map(
  ({ title, octets }) => `{"title": "${title}", "octets": ${JSON.stringify(octets)}}`,
);
await writeFile(file, `{\n"program": "${program}",\n"exchanges": [\n${lines.join(',\n')}\n]\n}\n`);
process.stdout.write(`${file}\n`);
process.exit();

function hex(number: number, digits: number): string {
  return number.toString(16).padStart(digits, '0');
}
