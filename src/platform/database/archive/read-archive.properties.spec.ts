import { describe, expect, it } from '@jest/globals';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import fc from 'fast-check';
import { randomBytes } from 'node:crypto';
import { archiveOf, fileOf } from '../../../../test/support/archives/archive-files.js';
import { manifest, NO_KEYS } from '../../../../test/support/archives/small-archive.js';
import { RUNS } from '../../../../test/support/verification/property-runs.js';
import { ArchiveRejected } from './archive-rejected.js';
import { sealed, type ArchiveKeys } from './archive-seal.js';
import { readArchive } from './read-archive.js';

const EACH = { ...RUNS, numRuns: Math.ceil(RUNS.numRuns / 40) };
const ROWS = Array.from({ length: 2_000 }, (_, n) => `${n}\t${randomBytes(60).toString('hex')}\n`);
const PLAIN = await archiveOf([
  manifest,
  fileOf('tables/teams.copy', ROWS.join('')),
  fileOf('end.json', JSON.stringify({ tables: [{ name: 'teams', rows: ROWS.length }], sequences: [] })),
]);
const identity = await generateX25519Identity();
const RECIPIENTS = [await identityToRecipient(identity)];
const ENCRYPTED = await collected(sealed(inParts(PLAIN), { recipients: RECIPIENTS }));

const KEYS: ArchiveKeys = { ...NO_KEYS, identities: [identity], isGiven: true };
const KINDS = [
  ['plain', PLAIN, NO_KEYS],
  ['encrypted', ENCRYPTED, KEYS],
] as const;

async function collected(parts: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const part of parts) all.push(part);
  return Buffer.concat(all);
}

/** The bytes in parts of these sizes, in turns. */
async function* inParts(bytes: Buffer, sizes: readonly number[] = [65_000]): AsyncGenerator<Buffer> {
  for (let from = 0, n = 0; from < bytes.length; n++) {
    const to = from + (sizes[n % sizes.length] ?? 1);
    yield bytes.subarray(from, to);
    from = to;
    await Promise.resolve();
  }
}

/** The rows of an archive, or why it is refused. */
async function read(archive: Buffer, keys: ArchiveKeys, sizes?: readonly number[]): Promise<string> {
  let rows = '';
  try {
    for await (const part of readArchive(inParts(archive, sizes), keys))
      if (part.kind === 'table') rows += (await collected(part.rows)).toString('latin1');
    return rows === ROWS.join('') ? 'as written' : 'other rows';
  } catch (error) {
    return error instanceof ArchiveRejected ? `refused: ${error.fault}` : String(error);
  }
}

describe.each(KINDS)('an archive that is %s', (kind, archive, keys) => {
  it('is what was written, in parts of any size', async () => {
    const sizes = fc.array(fc.integer({ min: 100, max: 70_000 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(sizes, async (parts) => expect(await read(archive, keys, parts)).toBe('as written')),
      EACH,
    );
  });

  it('has the same rows or is refused when a bit is another one, wherever it is', async () => {
    const bits = fc.oneof(fc.nat(8 * 400), fc.nat(archive.length * 8 - 1));
    await fc.assert(
      fc.asyncProperty(bits, async (bit) => {
        const changed = Buffer.from(archive);
        changed[bit >> 3]! ^= 1 << (bit & 7);
        // In gzip, some bits have no meaning; its checksum is that of the content.
        expect(await read(changed, keys)).toMatch(
          kind === 'plain' ? /^(refused: |as written$)/ : /^refused: /,
        );
      }),
      EACH,
    );
  });

  it('is refused when it ends anywhere else, or goes on', async () => {
    const ends = fc.oneof(
      fc.nat(archive.length - 1),
      fc.nat(600),
      fc.nat(600).map((n) => archive.length - 1 - n),
    );
    await fc.assert(
      fc.asyncProperty(ends, async (end) => {
        expect(await read(archive.subarray(0, end), keys)).toMatch(
          /^refused: (cut_off|damaged|not_an_archive)$/,
        );
      }),
      EACH,
    );
    for (const more of [Buffer.from('x'), Buffer.from([1, 2, 3]), archive, randomBytes(70_000)])
      expect(await read(Buffer.concat([archive, more]), keys)).toMatch(/^refused: /);
  });

  it('is refused when it is anything', async () => {
    const start = kind === 'plain' ? Buffer.from([0x1f, 0x8b, 8]) : Buffer.from('age-encryption.org/v1\n-> ');
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 3_000 }), fc.boolean(), async (bytes, isNear) => {
        const other = Buffer.concat([isNear ? start : Buffer.alloc(0), bytes]);
        expect(await read(other, { ...keys, isGiven: false })).toMatch(/^refused: /);
      }),
      EACH,
    );
  });
});
