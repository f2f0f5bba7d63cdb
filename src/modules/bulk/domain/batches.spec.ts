import { expect, it } from '@jest/globals';
import { inBatches } from './batches.js';
import { sizeOf, type ListEntry } from './list-entry.js';

it('A batch is full at its number of rows, or at its number of characters', async () => {
  const rows = (count: number, note: string): ListEntry[] =>
    Array.from({ length: count }, () => ({ email: 'a@x.com', ref: [null, note] }));
  async function* pieces() {
    yield await Promise.resolve(rows(3, 'x'));
    yield rows(2, 'x');
    yield rows(1, 'x'.repeat(100));
    yield rows(1, 'x');
  }
  const sizes = [];
  for await (const batch of inBatches(pieces(), 4, { size: 100, sizeOf })) sizes.push(batch.length);
  expect(sizes).toEqual([5, 1, 1]);
});
