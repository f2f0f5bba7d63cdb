import { expect, it } from '@jest/globals';
import { inBatches, type ListRow } from './list-row.js';

it('A batch is full at 4,000 rows, or at four million characters', async () => {
  const rows = (count: number, note: string): ListRow[] =>
    Array.from({ length: count }, (_, index) => ({
      index,
      addressKey: '',
      email: 'a@x.com',
      ref: [null, note],
    }));
  async function* pieces() {
    yield await Promise.resolve(rows(3_999, 'x'));
    yield rows(2, 'x');
    yield rows(1, 'x'.repeat(4_000_000));
    yield rows(1, 'x');
  }
  const sizes = [];
  for await (const batch of inBatches(pieces())) sizes.push(batch.length);
  expect(sizes).toEqual([4_001, 1, 1]);
});
