import { expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const SETTING = join(import.meta.dirname, 'tight-heap.ts');
/** Makes much that outlives two collections of the young and no more, and tells the largest heap it had, in bytes. */
const WASTE = `
  const held = [];
  let most = 0;
  for (let n = 0; n < 150_000; n++) {
    held[n % 20_000] = Array.from({ length: 60 }, () => ({ n }));
    if (n % 1_000 === 0) most = Math.max(most, process.memoryUsage().heapUsed);
  }
  process.stdout.write(String(most));`;

it('V8 knows the setting, and piles up less with it', async () => {
  const run = (script: string) =>
    promisify(execFile)(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', script]);
  const asIs = await run(WASTE);
  const tight = await run(`import { keepHeapTight } from '${SETTING}'; keepHeapTight(); ${WASTE}`);
  // Of a setting that it does not know V8 would tell here.
  expect(tight.stderr).toBe(asIs.stderr);
  expect(Number(tight.stdout)).toBeLessThan(Number(asIs.stdout));
});
