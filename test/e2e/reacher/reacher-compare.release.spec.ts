import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { anApp, type TestApp } from '../../support/app/app.js';

const SCRIPT = join(import.meta.dirname, '../../../scripts/compare-with-reacher.mjs');

let app: TestApp;
let folder: string;
/** Two teams of one service: what is compared is the protocol, which both speak. */
let reacher: NewAccount;
let rcpt: NewAccount;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rcpt-compare-'));
  app = await anApp();
  reacher = await app.anAccount();
  rcpt = await app.anAccount();
  await app.post('/v1/blocklist', rcpt.liveKey).send({ domain: 'blocked.invalid' });
});
afterAll(async () => {
  await app.stop();
  await rm(folder, { recursive: true });
});

async function run(list: string, env: Record<string, string> = {}) {
  const file = join(folder, 'list.csv');
  await writeFile(file, list);
  const access = { REACHER_URL: app.url, RCPT_URL: `${app.url}/`, REACHER_SECRET: reacher.liveKey };
  const all = { PATH: process.env.PATH, ...access, RCPT_API_KEY: rcpt.liveKey, ...env };
  return new Promise<{ code: unknown; rows: string[][]; err: string }>((resolve) => {
    execFile(process.execPath, [SCRIPT, file], { env: all }, (error, out, err) =>
      resolve({ code: error?.code ?? 0, rows: parse(out), err }),
    );
  });
}

describe('scripts/compare-with-reacher.mjs', () => {
  it('sends each address of a file to both, and writes those that differ', async () => {
    const list = [
      ...['name;email', 'Jane;"jane@nowhere.invalid"', 'Joe;<joe@blocked.invalid>', '', 'no address'],
      ...['Jane again;jane@nowhere.invalid', 'info@one.invalid', '=cmd@blocked.invalid'],
    ];
    const { code, rows, err } = await run(list.join('\n'));
    const [header, ...others] = rows;
    expect(header).toEqual(['email', 'reacher', 'rcpt', 'differs', 'reason']);
    expect(others.sort()).toEqual([
      ["'=cmd@blocked.invalid", 'invalid', 'risky', 'is_reachable', 'blocked_domain'],
      ['joe@blocked.invalid', 'invalid', 'risky', 'is_reachable', 'blocked_domain'],
    ]);
    expect(err.trimEnd().split(/ *\n/)).toEqual([
      'Reacher \\ Rcpt  safe            invalid         risky           unknown',
      'safe            0               0               0               0',
      'invalid         0               2               2               0',
      'risky           0               0               0               0',
      'unknown         0               0               0               0',
      '4 compared, 2 the same, 2 differ, 0 failed',
    ]);
    expect(code).toBe(0);
    const { body } = (await app.get('/v1/usage', rcpt.liveKey)) as { body: { single: number } };
    expect(body.single).toBe(4);
  });

  it('waits when it is told to, and says what failed', async () => {
    const limited = await app.anAccount('free');
    const list = Array.from({ length: 13 }, (_, n) => `user${n}@nowhere.invalid`).join('\n');
    const { code, err } = await run(list, { RCPT_API_KEY: limited.liveKey, CONCURRENCY: '13' });
    expect(err).toContain('13 compared, 13 the same, 0 differ, 0 failed');
    expect(code).toBe(0);
    const failed = await run('jane@nowhere.invalid', { RCPT_API_KEY: 'rcpt_live_unknown' });
    expect(failed.rows[1]).toEqual([
      ...['jane@nowhere.invalid', '', expect.stringMatching(/^401: \{"error":/), 'failed', ''],
    ]);
    expect(failed.code).toBe(1);
  });

  it('says how it is used', async () => {
    expect(await run('', { RCPT_URL: '' })).toMatchObject({ code: 64, err: expect.stringMatching(/^Usage/) });
    expect((await run('', { CONCURRENCY: 'all' })).code).toBe(64);
  });
});
