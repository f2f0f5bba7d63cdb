import { describe, expect, it } from '@jest/globals';
import { ADDRESSES_PER_CHUNK, rangesFor } from './hash-range.js';

describe('rangesFor', () => {
  it.each([1, ADDRESSES_PER_CHUNK, ADDRESSES_PER_CHUNK + 1, 100_000, 1_000_000])(
    'divides the hashes of %d addresses without gap or overlap',
    (addresses) => {
      const ranges = rangesFor(addresses);
      expect(ranges).toHaveLength(Math.ceil(addresses / ADDRESSES_PER_CHUNK));
      expect(ranges[0]?.from).toEqual(Buffer.alloc(4));
      expect(Buffer.compare(Buffer.alloc(32, 0xff), ranges.at(-1)?.to ?? Buffer.alloc(0))).toBe(-1);
      ranges.slice(1).forEach(({ from }, before) => {
        expect(ranges[before]?.to).toEqual(from);
        expect(Buffer.compare(ranges[before]?.from ?? from, from)).toBe(-1);
      });
    },
  );
});
