import { describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scanLogs } from '../../support/jest/log-scan.js';

/** The scan after every run must itself be able to fail. */
describe('the scan of the logs', () => {
  const scan = async (line: string) => {
    const dir = await mkdtemp(join(tmpdir(), 'rcpt-scan-'));
    const file = join(dir, 'log');
    await writeFile(file, `${line}\n`);
    try {
      scanLogs(file);
    } finally {
      await rm(dir, { recursive: true });
    }
  };

  it.each([
    ['an address', '{"level":"info","msg":"jane@example.com"}'],
    ['a key', '{"level":"info","key":"rcpt_live_abcdefghij"}'],
    ['an invite token', '{"level":"info","url":"/x?token=rcpt_invite_abcdefghij"}'],
    ['a credential', '{"level":"info","authorization":"Bearer abc"}'],
    [
      'MaxListenersExceededWarning',
      '(node:12) MaxListenersExceededWarning: Possible EventTarget memory leak detected.',
    ],
    ['DeprecationWarning', '(node:12) [DEP0040] DeprecationWarning: The `punycode` module is deprecated.'],
  ])('finds %s', async (what, line) => {
    await expect(scan(line)).rejects.toThrow(what);
  });

  it('ignores output for users, and experiments of Node', async () => {
    const experiment = '(node:12) ExperimentalWarning: stripping types is an experimental feature';
    await expect(scan(experiment)).resolves.toBeUndefined();
    await expect(scan('  live key   rcpt_live_abcdefghij')).resolves.toBeUndefined();
  });
});
