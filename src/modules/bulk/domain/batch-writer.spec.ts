import { expect, it } from '@jest/globals';
import { BatchWriter } from './batch-writer.js';

it('items added during a write are written together next', async () => {
  const writes: number[][] = [];
  let goOn = () => {};
  const first = new Promise<void>((resolve) => (goOn = resolve));
  const grouped = new BatchWriter<number>(async (_, items) => {
    writes.push([...items]);
    if (writes.length === 1) await first;
  });
  const all = [1, 2, 3, 4].map((item) => grouped.add('a', item));
  goOn();
  await Promise.all(all);
  await grouped.add('a', 5);
  expect(writes).toEqual([[1], [2, 3, 4], [5]]);
});

it('keys do not wait for each other', async () => {
  const grouped = new BatchWriter<number>((key) =>
    key === 'slow' ? new Promise(() => undefined) : Promise.resolve(),
  );
  void grouped.add('slow', 1);
  await expect(grouped.add('quick', 2)).resolves.toBeUndefined();
});

it('an item that cannot be written fails alone', async () => {
  const written: number[] = [];
  const grouped = new BatchWriter<number>(async (_, items) => {
    if (items.includes(3)) throw new Error('3');
    written.push(...items);
  });
  const ends = await Promise.allSettled([1, 2, 3, 4].map((item) => grouped.add('a', item)));
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  expect(written).toEqual([1, 2, 4]);
});
