import { beforeAll, describe, expect, it } from '@jest/globals';
import { Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { gzipSync } from 'node:zlib';
import { archiveOf, fileOf, tarOf, type Member } from '../../../../test/support/archives/archive-files.js';
import {
  manifest,
  MEMBERS,
  NO_KEYS,
  refusalOf,
  Source,
  teams,
} from '../../../../test/support/archives/small-archive.js';
import { sealed } from './archive-seal.js';

const MIB = 1_048_576;

/** A gzip stream of its own, again and again: a stream of gzip streams is one. */
function* endless(start: Buffer, again: Buffer): Generator<Buffer> {
  yield gzipSync(start);
  for (const part = gzipSync(again); ;) yield part;
}

/** A tar file without its end, and with a size in the head of the last member that its bytes never reach. */
async function startedWith(members: readonly Member[], name: string, size: number): Promise<Buffer> {
  const tar = await tarOf([...members, fileOf(name, '')]);
  const started = tar.subarray(0, -1_024);
  const head = started.subarray(-512);
  head.write(size.toString(8).padStart(11, '0'), 124, 'latin1');
  head.fill(' ', 148, 156);
  head.write(
    `${head
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0 `,
    148,
    'latin1',
  );
  return started;
}

const withoutEnd = async (members: readonly Member[]) => (await tarOf(members)).subarray(0, -1_024);
const SEVEN_GIB = 7 * 2 ** 30;

describe('an archive', () => {
  it('is read when another program has written it', async () => {
    expect(await refusalOf(new Source([await archiveOf(MEMBERS)]))).toBe('accepted');
    const pax = { mtime: '1764000000.123456789', 'LIBARCHIVE.creationtime': '1764000000' };
    const more = { uid: 1_000, gid: 1_000, uname: 'operator', gname: 'operator', pax };
    const written = MEMBERS.map(({ header, data }) => ({ header: { ...header, ...more }, data }));
    expect(await refusalOf(new Source([await archiveOf(written)]))).toBe('accepted');
  });

  describe('that never ends is refused after few bytes, and its source is closed', () => {
    let identity: string;
    let recipient: string;
    beforeAll(async () => {
      identity = await generateX25519Identity();
      recipient = await identityToRecipient(identity);
    });

    const rows = (text: string) => Buffer.from(text.repeat(Math.ceil(MIB / text.length)).slice(0, MIB));
    it.each<[string, () => Promise<[Buffer, Buffer]>, RegExp]>([
      ['of zeros', async () => [Buffer.alloc(MIB), Buffer.alloc(MIB)], /damaged|cut off/],
      ['with zeros after its end', async () => [await tarOf(MEMBERS), Buffer.alloc(MIB)], /belong to none/],
      [
        'with empty members',
        async () => [await withoutEnd([manifest]), await withoutEnd([fileOf('a', '')])],
        /another member in the place of tables\/teams\.copy/,
      ],
      [
        'with attributes of no member',
        async () => {
          const pax = await withoutEnd([fileOf('a', '', { pax: { comment: 'x'.repeat(20_000) } })]);
          return [await withoutEnd([manifest]), pax.subarray(0, -512)];
        },
        /belong to none/,
      ],
      [
        'with a manifest',
        async () => [await startedWith([], 'manifest.json', SEVEN_GIB), rows('[')],
        /manifest\.json has more than 1048576 bytes/,
      ],
      [
        'with one row',
        async () => [await startedWith([manifest], 'tables/teams.copy', SEVEN_GIB), rows('a')],
        /row of more than 67108864 bytes/,
      ],
      [
        'with a row of zeros',
        async () => [await startedWith([manifest], 'tables/teams.copy', SEVEN_GIB), Buffer.alloc(MIB)],
        /row of more than 67108864 bytes/,
      ],
      [
        'with empty rows',
        async () => [await startedWith([manifest], 'tables/teams.copy', SEVEN_GIB), rows('\n')],
        /row with another number of columns/,
      ],
      [
        'with equal rows',
        async () => [await startedWith([manifest], 'tables/teams.copy', SEVEN_GIB), rows('\t\n')],
        /more than 200 times as many bytes/,
      ],
      [
        'with an end',
        async () => [await startedWith([manifest, teams], 'end.json', SEVEN_GIB), rows('[')],
        /end\.json has more than 1048576 bytes/,
      ],
    ])('%s', async (_, make, says) => {
      const [start, again] = await make();
      const plain = new Source(endless(start, again));
      expect(await refusalOf(plain)).toMatch(says);
      await plain.closed;
      expect(plain.bytes).toBeLessThan(2 * MIB);

      const inner = sealed(new Source(endless(start, again)), { recipients: [recipient] });
      const encrypted = new Source(inner);
      expect(await refusalOf(encrypted, { ...NO_KEYS, isGiven: true, identities: [identity] })).toMatch(says);
      await encrypted.closed;
      expect(encrypted.bytes).toBeLessThan(4 * MIB);
    });

    it('in the header of its encryption', async () => {
      const line = (text: string) => Buffer.from(`${text}\n`);
      const headers = {
        recipients: [line('age-encryption.org/v1'), line(`-> X25519 ${'A'.repeat(43)}\n${'A'.repeat(43)}`)],
        line: [line('age-encryption.org/v1'), Buffer.from('A'.repeat(1_000))],
      } as const;
      for (const [start, again] of Object.values(headers)) {
        const source = new Source(
          (function* () {
            yield start;
            for (;;) yield again;
          })(),
        );
        expect(await refusalOf(source)).toMatch(/header was changed/);
        expect(source.bytes).toBeLessThan(MIB);
      }
    });
  });

  it('is refused when its header asks for more work than age does', async () => {
    const encrypter = new Encrypter();
    encrypter.setPassphrase('a');
    encrypter.setScryptWorkFactor(2);
    const archive = Buffer.from(await encrypter.encrypt(await archiveOf(MEMBERS)));
    const keys = { ...NO_KEYS, isGiven: true, passphrase: () => Promise.resolve('a') };
    expect(await refusalOf(new Source([archive]), keys)).toBe('accepted');
    for (const factor of ['19', '20', '63', '1e9', '-1', 'NaN', '']) {
      const more = archive.toString('latin1').replace(/^(-> scrypt \S+) 2$/m, `$1 ${factor}`);
      expect(await refusalOf(new Source([Buffer.from(more, 'latin1')]), keys)).toMatch(
        /^The archive is damaged/,
      );
    }
  });

  it.each<[string, (members: Member[]) => Member[], RegExp]>([
    ['in another order', ([a, b, c]) => [b!, a!, c!], /another member in the place of manifest\.json/],
    ['with a member twice', ([a, b, c]) => [a!, b!, b!, c!], /another member in the place of end\.json/],
    ['with two manifests', ([a, b, c]) => [a!, a!, b!, c!], /another member in the place of tables/],
    ['with two ends', ([a, b, c]) => [a!, b!, c!, c!], /member after its end/],
    ['without a table', ([a, , c]) => [a!, c!], /another member in the place of tables/],
    ['without its end', ([a, b]) => [a!, b!], /cut off/],
    ['without members', () => [], /cut off/],
    [
      'with a folder',
      ([a, b, c]) => [a!, fileOf('tables/', '', { type: 'directory' }), b!, c!],
      /another member/,
    ],
    [
      'with a path above',
      ([a, b, c]) => [a!, { ...b!, header: { ...b!.header, name: '../tables/teams.copy' } }, c!],
      /another member/,
    ],
    [
      'with an absolute path',
      ([a, b, c]) => [a!, { ...b!, header: { ...b!.header, name: '/tables/teams.copy' } }, c!],
      /another member/,
    ],
    ...(['symlink', 'link', 'character-device', 'block-device', 'fifo', 'directory'] as const).map(
      (type): [string, (members: Member[]) => Member[], RegExp] => [
        `with a ${type} in the place of a table`,
        ([a, , c]) => [a!, fileOf('tables/teams.copy', '', { type, linkname: '/etc/passwd' }), c!],
        /another member/,
      ],
    ),
    [
      'with a sparse table',
      ([a, b, c]) => [
        a!,
        {
          ...b!,
          header: { ...b!.header, pax: { 'GNU.sparse.major': '1', 'GNU.sparse.realsize': '9999999999' } },
        },
        c!,
      ],
      /another member/,
    ],
    [
      'whose attributes give another name',
      ([a, b, c]) => [a!, { ...b!, header: { ...b!.header, pax: { path: 'tables/users.copy' } } }, c!],
      /another member/,
    ],
  ])('is refused %s', async (_, change, says) => {
    expect(await refusalOf(new Source([await archiveOf(change([...MEMBERS]))]))).toMatch(says);
  });
});
