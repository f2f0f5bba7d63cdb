import { expect, it } from '@jest/globals';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { emptyHeader } from '../../domain/list-reader.js';
import { jsonList } from './json-list.js';

const ENTRIES = 200_000;
const ENTRIES_IN_PIECE = 1_000;

/** Bytes in use after a collection of garbage. */
function heapUsed(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

async function* pieces(): AsyncGenerator<Buffer> {
  yield Buffer.from('{"emails":["first@example.com"');
  for (let from = 0; from < ENTRIES; from += ENTRIES_IN_PIECE) {
    const entries = Array.from(
      { length: ENTRIES_IN_PIECE },
      (_, n) => `{"email":"user${from + n}@example.com"}`,
    );
    yield Buffer.from(`,${entries.join(',')}`);
    await Promise.resolve();
  }
  yield Buffer.from(']}');
}

it('keeps no entry of a list in memory after it was read', async () => {
  let count = 0;
  let atFirst = 0;
  for await (const entries of jsonList(pieces(), emptyHeader())) {
    count += entries.length;
    if (count === 1) atFirst = heapUsed();
    else if (count === ENTRIES + 1 && entries.length > 0)
      expect(heapUsed() - atFirst).toBeLessThan(ENTRIES * 10);
  }
  expect(count).toBe(ENTRIES + 1);
});
