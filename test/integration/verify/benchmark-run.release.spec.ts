import { describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { hasNamespaces } from '../../../bench/peers/namespace.js';
import { isOnMachine } from '../../support/jest/machine.js';
import { WITH_TYPESCRIPT } from '../../support/processes/with-typescript.js';

const BENCHMARK = join(import.meta.dirname, '../../../bench/peers/benchmark.main.ts');
const benchmark = (...args: string[]) =>
  promisify(execFile)(process.execPath, [...WITH_TYPESCRIPT, BENCHMARK, ...args]);

const trial = isOnMachine('network namespaces', hasNamespaces()) ? describe : describe.skip;

trial('the benchmark in its namespace (needs unshare and iproute2)', () => {
  it('has the servers at the port and addresses that every verifier dials, and no forbidden connection by Rcpt', async () => {
    const { stdout } = await benchmark('--only', 'rcpt', '--kind', 'private-mx');
    expect(stdout).toMatch(/^\| rcpt [\d.]+ \| 14 \| 0 \| 0 \| 0 \| 0 \| \d+ \|$/m);
  });
});

describe('the benchmark', () => {
  it.each([
    ['--only', 'rcpt,other', 'Not a verifier of this benchmark: other. Known: rcpt, '],
    ['--kind', 'other', 'Not a kind of cases: other. Known: blocked-sender, '],
  ])('names what %s may be', async (option, value, sentence) => {
    await expect(benchmark(option, value)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining(sentence),
    });
  });
});
