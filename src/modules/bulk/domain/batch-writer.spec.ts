import { expect, it } from '@jest/globals';
import { SystemClock } from '../../../platform/time/system-clock.js';
import { BatchWriter } from './batch-writer.js';

const CLOCK = new SystemClock();
const COLLECTION = { ms: 1, size: 3, sizeOf: () => 1 };

it('items added during a write are written together next', async () => {
  const writes: number[][] = [];
  let goOn = () => {};
  const first = new Promise<void>((resolve) => (goOn = resolve));
  let begun = () => {};
  const hasBegun = new Promise<void>((resolve) => (begun = resolve));
  const grouped = new BatchWriter<number>(
    async (_, items) => {
      writes.push([...items]);
      begun();
      if (writes.length === 1) await first;
    },
    COLLECTION,
    CLOCK,
  );
  const all = [grouped.add('a', 1)];
  await hasBegun;
  all.push(grouped.add('a', 2), grouped.add('a', 3));
  goOn();
  await Promise.all(all);
  await grouped.add('a', 4);
  expect(writes).toEqual([[1], [2, 3], [4]]);
});

it('keys do not wait for each other', async () => {
  const grouped = new BatchWriter<number>(
    (key) => (key === 'slow' ? new Promise(() => undefined) : Promise.resolve()),
    COLLECTION,
    CLOCK,
  );
  void grouped.add('slow', 1);
  await expect(grouped.add('quick', 2)).resolves.toBeUndefined();
});

it('an item that cannot be written fails alone', async () => {
  const written: number[] = [];
  const grouped = new BatchWriter<number>(
    async (_, items) => {
      if (items.includes(3)) throw new Error('3');
      written.push(...items);
    },
    COLLECTION,
    CLOCK,
  );
  const ends = await Promise.allSettled([1, 2, 3, 4].map((item) => grouped.add('a', item)));
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  expect(written).toEqual([1, 2, 4]);
});

it('a write begins as soon as it has its size, and has no more than that', async () => {
  const writes: number[][] = [];
  const grouped = new BatchWriter<number>(
    async (_, items) => void writes.push([...items]),
    { ...COLLECTION, ms: 2 ** 30 },
    CLOCK,
  );
  await Promise.all([1, 2, 3, 4, 5, 6].map((item) => grouped.add('a', item)));
  expect(writes).toEqual([
    [1, 2, 3],
    [4, 5, 6],
  ]);
});
