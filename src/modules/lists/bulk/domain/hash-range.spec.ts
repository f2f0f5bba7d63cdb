import { describe, expect, it } from '@jest/globals';
import { chunksOf, END, ListProviders, rangesFor, START } from './hash-range.js';

const PER_CHUNK = 500;

describe('rangesFor', () => {
  it.each([1, PER_CHUNK, PER_CHUNK + 1, 100_000, 1_000_000])(
    'divides the hashes of %d addresses without gap or overlap',
    (addresses) => {
      const ranges = rangesFor(addresses, PER_CHUNK);
      expect(ranges).toHaveLength(Math.ceil(addresses / PER_CHUNK));
      expect(ranges[0]?.from).toEqual(Buffer.alloc(4));
      expect(Buffer.compare(Buffer.alloc(32, 0xff), ranges.at(-1)?.to ?? Buffer.alloc(0))).toBe(-1);
      ranges.slice(1).forEach(({ from }, before) => {
        expect(ranges[before]?.to).toEqual(from);
        expect(Buffer.compare(ranges[before]?.from ?? from, from)).toBe(-1);
      });
    },
  );
});

describe('chunksOf', () => {
  const domain = (n: number) => Buffer.from([n, 0, 0, 0]);
  const inOne = (ranges: ReturnType<typeof chunksOf>, key: Buffer) =>
    ranges.filter(({ from, to }) => Buffer.compare(from, key) <= 0 && Buffer.compare(key, to) < 0);

  it('gives a group of domains one range, and divides a large domain into ranges of a chunk each', () => {
    const groups = [
      { domains: domain(1), provider: null, addresses: 2 * PER_CHUNK - 1 },
      { domains: domain(7), provider: null, addresses: 10 * PER_CHUNK },
      { domains: domain(9), provider: null, addresses: 3 },
    ];
    const ranges = chunksOf(groups, PER_CHUNK);
    expect(ranges).toHaveLength(12);
    expect([ranges[0]?.from, ranges.at(-1)?.to]).toEqual([START, END]);
    ranges.slice(1).forEach(({ from }, before) => expect(ranges[before]?.to).toEqual(from));
    const own = ranges.filter(({ from }) => from[0] === 7);
    expect(own).toHaveLength(10);
    expect(ranges.map((range) => range.servers?.[0] ?? null)).toEqual([null, ...own.map(() => 7), null]);
    const spread = new Set([0x00, 0x40, 0x80, 0xff].map((byte) => inOne(own, key(7, byte))[0]));
    expect(spread.size).toBe(4);
  });

  it('has one range for every key, also the lowest and the highest', () => {
    const ranges = chunksOf([{ domains: domain(200), provider: null, addresses: 1_200 }], PER_CHUNK);
    for (const hash of [key(0, 0), key(200, 0), key(200, 0x99), key(255, 255), Buffer.alloc(36, 0xff)])
      expect(inOne(ranges, hash)).toHaveLength(1);
  });

  describe('with providers', () => {
    const group = (provider: string | null, addresses: number, ...domains: number[]) => ({
      domains: Buffer.concat(domains.map(domain)),
      provider,
      addresses,
    });
    const chunks = chunksOf(
      [
        group(null, 480, 1, 5),
        group('google', 300, 2, 4),
        group('google', 500, 6, 9),
        group('google', 3 * PER_CHUNK, 7),
        group(null, 2 * PER_CHUNK, 8),
        group('microsoft', 210, 3),
        group('google', 150, 10),
        group('google', 40, 11),
        group(null, 30, 12),
      ],
      PER_CHUNK,
    );
    const setsOf = (servers: string | null) =>
      chunks
        .filter((chunk) => chunk.domains !== null && (chunk.servers?.toString() ?? null) === servers)
        .map((chunk) => [...(chunk.domains ?? [])].filter((_, at) => at % 4 === 0));

    it('combines domains of one provider only, small groups into one chunk', () => {
      expect(setsOf('google')).toEqual([
        [2, 4, 10, 11],
        [6, 9],
      ]);
      expect(setsOf('microsoft')).toEqual([[3]]);
      expect(setsOf(null)).toEqual([[1, 5], [12]]);
    });

    it('divides a large domain into ranges with the servers of its provider', () => {
      const ranges = chunks.filter((chunk) => chunk.domains === null);
      expect(ranges.map(({ from }) => from[0])).toEqual([7, 7, 7, 8, 8]);
      expect(ranges.map((range) => range.servers)).toEqual([
        ...new Array<Buffer>(3).fill(Buffer.from('google')),
        ...new Array<Buffer>(2).fill(domain(8)),
      ]);
    });

    it('has one chunk for every key', () => {
      for (let first = 1; first <= 12; first++) {
        for (const byte of [0, 0x99, 0xff]) {
          const isOf = ({ domains }: (typeof chunks)[number]) =>
            domains !== null && domains.some((_, at) => at % 4 === 0 && domains[at] === first);
          const found = chunks.filter(isOf).length + inOne(chunks, key(first, byte)).length;
          expect(found).toBe(1);
        }
      }
    });
  });

  const key = (first: number, byte: number) => Buffer.concat([domain(first), Buffer.alloc(32, byte)]);
});

it('the domains of a provider are separate only if it has enough rows', () => {
  const providers = new ListProviders();
  for (let row = 0; row < 5; row++) providers.add(`0000000${row % 2}${row}ff`, 'google');
  providers.add('0000000a00', 'microsoft');
  expect(providers.withRows(5)).toEqual(
    new Map([
      ['00000000', 'google'],
      ['00000001', 'google'],
    ]),
  );
  expect(providers.withRows(6).size).toBe(0);
});
