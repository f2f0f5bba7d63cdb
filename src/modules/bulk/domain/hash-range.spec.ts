import { describe, expect, it } from '@jest/globals';
import { END, rangesFor, rangesOf, START } from './hash-range.js';

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

describe('rangesOf', () => {
  const domain = (n: number) => Buffer.from([n, 0, 0, 0]);
  const inOne = (ranges: ReturnType<typeof rangesOf>, key: Buffer) =>
    ranges.filter(({ from, to }) => Buffer.compare(from, key) <= 0 && Buffer.compare(key, to) < 0);

  it('gives a group of domains one range, and divides a large domain into ranges of a chunk each', () => {
    const groups = [
      { from: domain(1), addresses: 2 * PER_CHUNK - 1 },
      { from: domain(7), addresses: 10 * PER_CHUNK },
      { from: domain(9), addresses: 3 },
    ];
    const ranges = rangesOf(groups, PER_CHUNK);
    expect(ranges).toHaveLength(12);
    expect([ranges[0]?.from, ranges.at(-1)?.to]).toEqual([START, END]);
    ranges.slice(1).forEach(({ from }, before) => expect(ranges[before]?.to).toEqual(from));
    const own = ranges.filter(({ from }) => from[0] === 7);
    expect(own).toHaveLength(10);
    expect(ranges.map((each) => each.domain?.[0] ?? null)).toEqual([null, ...own.map(() => 7), null]);
    const spread = new Set([0x00, 0x40, 0x80, 0xff].map((byte) => inOne(own, key(7, byte))[0]));
    expect(spread.size).toBe(4);
  });

  it('has one range for every key, also the lowest and the highest', () => {
    const ranges = rangesOf([{ from: domain(200), addresses: 1_200 }], PER_CHUNK);
    for (const each of [key(0, 0), key(200, 0), key(200, 0x99), key(255, 255), Buffer.alloc(36, 0xff)])
      expect(inOne(ranges, each)).toHaveLength(1);
  });

  const key = (first: number, byte: number) => Buffer.concat([domain(first), Buffer.alloc(32, byte)]);
});
