import { expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const SETTING = join(import.meta.dirname, 'heap-growth.ts');
/** Makes garbage that has outlived two scavenges, and prints the largest heap in bytes. */
const SCRIPT = `
  const held = [];
  let largest = 0;
  for (let n = 0; n < 60_000; n++) {
    held[n % 10_000] = Array.from({ length: 60 }, () => ({ n }));
    if (n % 500 === 0) largest = Math.max(largest, process.memoryUsage().heapUsed);
  }
  process.stdout.write(String(largest));`;

it('V8 has the setting, and the old generation holds less garbage with it', async () => {
  const run = (script: string) =>
    promisify(execFile)(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', script]);
  const unlimited = await run(SCRIPT);
  const limited = await run(`import { limitHeapGrowth } from '${SETTING}'; limitHeapGrowth(); ${SCRIPT}`);
  // V8 reports a setting that it does not have here.
  expect(limited.stderr).toBe(unlimited.stderr);
  expect(Number(limited.stdout)).toBeLessThan(0.9 * Number(unlimited.stdout));
});
