import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readLine } from '../../../src/commands/outcomes/postfix-log/log-line.js';
import { bounced, DEFERRED, sent } from '../../support/outcomes/postfix-log.js';
import { read, readingsOf } from '../../support/outcomes/readings.js';

const FOLDER = join(import.meta.dirname, '../../support/recorded/bounces');
/** What a server answered each recipient, and what that means. */
const MEANINGS: Readonly<Record<string, string>> = {
  gone: 'hard',
  plain: 'hard',
  umlaut: 'hard',
  full: 'mailbox_full',
  spam: 'policy',
  later: 'greylisted',
};

describe.each(readdirSync(FOLDER))('the bounces of %s', (program) => {
  const bounces = readdirSync(join(FOLDER, program)).filter((name) => name.endsWith('.eml'));

  it.each(bounces)('%s names the recipient and the reply of the server', (name) => {
    const message = readFileSync(join(FOLDER, program, name), 'utf8');
    // Before the time of the readings.
    const entries = read(message.replaceAll('29 Nov 2026', '19 Nov 2026'));
    const [localPart = ''] = name.split('.');
    const meaning = MEANINGS[localPart];
    if (meaning === undefined) expect(entries).toMatchObject([{ email: 'nobody.here@example.com' }]);
    else expect(readingsOf(entries)).toEqual([[`${localPart}@other.example.org`, meaning]]);
  });
});

describe('the log of Postfix 3.7.11', () => {
  const lines = readFileSync(join(FOLDER, 'postfix-3.7.11/mail-log.txt'), 'utf8').trimEnd().split('\n');
  const lineOf = (recipient: string) => lines.find((line) => line.includes(`to=<${recipient}`))!;
  const latest = new Date('2026-11-30T00:00:00Z');

  it('is about deliveries in the own network', () => {
    const kinds = lines.filter((line) => / status=/.test(line)).map((line) => readLine(line, latest));
    expect(new Set(kinds)).toEqual(new Set(['own_network', 'deferred']));
  });

  it.each([
    ['fine', { outcome: 'delivered' }],
    ['gone', { outcome: 'bounced', reply: expect.stringMatching(/^550 5\.1\.1 <gone@.*: User unknown/) }],
    [
      'full',
      { outcome: 'bounced', reply: expect.stringMatching(/^552-5\.2\.2 The mailbox .* 552 5\.2\.2 https/) },
    ],
    ['umlaut', { outcome: 'bounced', reply: expect.stringContaining('überprüfen Sie die Adresse') }],
    ['spam', { outcome: 'bounced', reply: '554 5.7.1 Message rejected as spam' }],
  ])('is read where the server is elsewhere: %s', (localPart, expected) => {
    const email = `${localPart}@other.example.org`;
    const elsewhere = lineOf(email)
      .replace('relay=127.0.0.1[127.0.0.1]:2525', 'relay=mx.other.example.org[192.0.2.1]:25')
      .replace('host 127.0.0.1[127.0.0.1] said', 'host mx.other.example.org[192.0.2.1] said');
    const at = '2026-11-29T08:13:16.000Z';
    expect(readLine(elsewhere, latest)).toMatchObject({ email, at, ...expected });
  });

  /** The names of its members, in their order. */
  const shapeOf = (line: string) =>
    [
      ...line
        .split(' ')
        .slice(4)
        .join(' ')
        .matchAll(/(?:^| )([a-z]+)=/g),
    ].map(([, name]) => name);

  it.each([
    ['fine@', sent('fine')],
    ['gone@', bounced('gone')],
    ['refused@', DEFERRED],
  ])('has the members of the lines of the tests: %s', (recipient, line) => {
    expect(shapeOf(line)).toEqual(shapeOf(lineOf(recipient)));
  });
});
