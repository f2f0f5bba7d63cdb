import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createHash, randomBytes } from 'node:crypto';
import { RUNS } from '../../../../test/support/verification/property-runs.js';
import { ArchiveRejected } from './archive-rejected.js';
import { RecordEncoder, type ArchiveRecord } from './archive-records.js';
import { newSeal, type ChunkSeal } from './chunk-seal.js';
import { readArchive, validateArchive } from './read-archive.js';
import { sealed, unsealed } from './sealed-stream.js';
import { gzipSync } from 'node:zlib';

const PASSPHRASE = 'correct horse battery staple';
const noPassphrase = () => Promise.reject<string>(new Error('asked'));

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

const sealedIn = async (bytes: Buffer, seal: ChunkSeal) => collected(sealed(inParts(bytes), seal));
const faultOf = (archive: Buffer, passphrase = noPassphrase): Promise<unknown> =>
  collected(unsealed(inParts(archive), passphrase)).then(
    () => 'accepted',
    (error: unknown) => (error instanceof ArchiveRejected ? error.fault : error),
  );

describe('sealed chunks', () => {
  it('are what was sealed, in parts of any size', async () => {
    const seal = await newSeal(null);
    const lengths = fc.oneof(fc.nat(200), fc.constantFrom(65_535, 65_536, 65_537, 131_072), fc.nat(200_000));
    const sizes = fc.array(fc.integer({ min: 500, max: 70_000 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(lengths, sizes, async (length, parts) => {
        const bytes = randomBytes(length);
        const archive = await collected(sealed(inParts(bytes, parts), seal));
        expect((await collected(unsealed(inParts(archive, parts), noPassphrase))).equals(bytes)).toBe(true);
      }),
      { numRuns: RUNS.numRuns / 40 },
    );
  });

  it('are rejected when a bit is another one, wherever it is', async () => {
    const archive = await sealedIn(randomBytes(150_000), await newSeal(null));
    await fc.assert(
      fc.asyncProperty(fc.nat(archive.length * 8 - 1), async (bit) => {
        const changed = Buffer.from(archive);
        changed[bit >> 3]! ^= 1 << (bit & 7);
        expect(await faultOf(changed)).toMatch(/^(damaged|cut_off|not_an_archive|newer_format)$/);
      }),
      { numRuns: RUNS.numRuns / 40 },
    );
  });

  it('are rejected when they end anywhere else, or go on', async () => {
    const archive = await sealedIn(randomBytes(150_000), await newSeal(null));
    const ends = fc.oneof(
      fc.nat(archive.length - 1),
      fc.nat(60),
      fc.constantFrom(65_536 + 32 + 20, 2 * 65_568 + 20),
    );
    await fc.assert(
      fc.asyncProperty(ends, async (end) => {
        expect(await faultOf(archive.subarray(0, end))).toMatch(/^(cut_off|damaged|not_an_archive)$/);
      }),
      { numRuns: RUNS.numRuns / 40 },
    );
    for (const more of [1, 100, 65_568, 70_000])
      expect(await faultOf(Buffer.concat([archive, randomBytes(more)]))).toMatch(/^(damaged|cut_off)$/);
  });

  it('are rejected when they are in another order, missing or repeated', async () => {
    const seal = await newSeal(null);
    const archive = await sealedIn(randomBytes(4 * 65_536 + 7), seal);
    const size = 65_536 + seal.overhead;
    const start = seal.header.length;
    const chunk = (n: number) => archive.subarray(start + n * size, start + (n + 1) * size);
    const of = (...order: number[]) => Buffer.concat([seal.header, ...order.map(chunk)]);
    expect(await faultOf(of(0, 1, 2, 3, 4))).toBe('accepted');
    for (const order of [[1, 0, 2, 3, 4], [0, 2, 3, 4], [0, 1, 1, 2, 3, 4], [4], [0, 1, 2, 4], [0, 1, 2, 3]])
      expect(await faultOf(of(...order))).not.toBe('accepted');
    const other = await sealedIn(randomBytes(4 * 65_536 + 7), await newSeal(null));
    const mixed = Buffer.concat([archive.subarray(0, start + size), other.subarray(start + size)]);
    // Without a key, chunks of two archives can be mixed; the checksum of the records finds that.
    expect(await faultOf(mixed)).toBe('accepted');
  });

  describe('with a passphrase', () => {
    it('are rejected when anything is changed, and show nothing', async () => {
      const seal = await newSeal(PASSPHRASE);
      const text = Buffer.from('jane.doe@private.example '.repeat(6_000));
      const archive = await sealedIn(text, seal);
      expect(archive.includes('jane.doe')).toBe(false);
      const right = () => Promise.resolve(PASSPHRASE);
      expect((await collected(unsealed(inParts(archive), right))).equals(text)).toBe(true);
      expect(await faultOf(archive, () => Promise.resolve('wrong'))).toBe('wrong_passphrase');
      // Each attempt derives the key: one for each region.
      for (const at of [0, 13, 25, 50, 65_600, 70_000, archive.length - 1]) {
        const changed = Buffer.from(archive);
        changed[at]! ^= 1;
        expect(await faultOf(changed, right)).toMatch(
          /^(not_an_archive|newer_format|wrong_passphrase|damaged|cut_off)$/,
        );
      }
      for (const end of [45, 60_000, 65_600 + 45, archive.length - 1])
        expect(await faultOf(archive.subarray(0, end), right)).toMatch(/^(cut_off|wrong_passphrase)$/);
    });

    it('have another key in each archive', async () => {
      const [one, two] = [await newSeal(PASSPHRASE), await newSeal(PASSPHRASE)];
      const position = { number: 0, isLast: true };
      expect(one.header.equals(two.header)).toBe(false);
      expect(two.open(one.seal(Buffer.from('text'), position), position)).toBeNull();
    });
  });
});

describe('the records of an archive', () => {
  const rows = Buffer.from('1\ta\n2\tb\n');
  const digest = createHash('sha256').update(rows).digest('hex');
  const manifest = {
    rcpt: '0.2.0',
    migrations: [],
    tables: [{ name: 't', columns: ['a', 'b'] }],
    left_out: [],
  };
  type Step = [kind: 'manifest' | 'table' | 'rows' | 'tableEnd' | 'end', content: object | Buffer];
  const whole = (): Step[] => [
    ['manifest', manifest],
    ['table', { name: 't' }],
    ['rows', rows],
    ['tableEnd', { rows: 2, bytes: rows.length, sha256: digest }],
    ['end', { tables: 1, rows: 2, sequences: [] }],
  ];
  const archiveOf = async (steps: Step[]) => {
    const encoder = new RecordEncoder();
    const records = steps.map(([kind, content]) =>
      encoder.encode(kind, kind === 'end' ? { sha256: encoder.checksum(), ...content } : content),
    );
    return sealedIn(gzipSync(Buffer.concat(records)), await newSeal(null));
  };
  const verdictOf = async (steps: Step[]) =>
    validateArchive(inParts(await archiveOf(steps)), noPassphrase).then(
      () => 'accepted',
      (error: unknown) => (error as ArchiveRejected).fault,
    );

  it('are read in order, with their counts', async () => {
    const found: ArchiveRecord['kind'][] = [];
    for await (const { kind } of readArchive(inParts(await archiveOf(whole())), noPassphrase))
      found.push(kind);
    expect(found).toEqual(['manifest', 'table', 'rows', 'tableEnd', 'end']);
  });

  it.each<[string, (steps: Step[]) => Step[]]>([
    ['no end', (steps) => steps.slice(0, -1)],
    ['nothing', () => []],
    ['no manifest', (steps) => steps.slice(1)],
    ['two manifests', (steps) => [...steps.slice(0, 1), ...steps]],
    ['no table', (steps) => [steps[0]!, ['end', { tables: 0, rows: 0, sequences: [] }]]],
    ['another table', (steps) => steps.with(1, ['table', { name: 'u' }])],
    ['rows that are missing', (steps) => steps.toSpliced(2, 1)],
    ['rows that are repeated', (steps) => steps.toSpliced(2, 0, ['rows', rows])],
    ['rows outside of a table', (steps) => steps.toSpliced(1, 0, ['rows', rows])],
    ['other counts', (steps) => steps.with(4, ['end', { tables: 1, rows: 3, sequences: [] }])],
    ['another checksum', (steps) => steps.with(4, ['end', { tables: 1, rows: 2, sha256: digest }])],
    ['something after its end', (steps) => [...steps, ['rows', rows]]],
  ])('are rejected with %s', async (_, change) => {
    expect(await verdictOf(change(whole()))).toMatch(/^(damaged|cut_off)$/);
  });

  it('are rejected when they are not compressed, or are no records', async () => {
    for (const content of [
      randomBytes(100),
      gzipSync(randomBytes(100)),
      gzipSync(Buffer.from('M\0\0\0\x01{')),
    ]) {
      const archive = await sealedIn(content, await newSeal(null));
      await expect(validateArchive(inParts(archive), noPassphrase)).rejects.toBeInstanceOf(ArchiveRejected);
    }
  });
});
