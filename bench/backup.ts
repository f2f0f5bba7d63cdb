import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDataSource } from '../src/platform/database/data-source.js';
import { aFreshDatabase, anEmptyDatabase } from '../test/support/database/fresh-database.js';
import { withDatabase } from './embedded-database.js';

/**
 * A list of a million rows with results: seconds, and the largest resident memory, of `rcpt backup`, `rcpt restore` and
 * `rcpt check-data`. Needs `npm run build`, and Linux for the memory.
 *
 *   npm run ts bench/backup.ts [ROWS]
 */
const ROWS = Number(process.argv[2] ?? 1_000_000);
const KEY = `int8send(1) || substring(sha256(n::text::bytea) FROM 1 FOR 4) || sha256(n::text::bytea)`;
const VERDICT = `json_build_object('email', 'user' || n || '@example.com', 'dns', json_build_object('mx', '[]'::json), 'verifiedAt', now())`;

const STATEMENTS = [
  'SET statement_timeout = 0',
  `INSERT INTO teams (id, name, base_tier, created_at) VALUES ('team_1', 'A team', 'unlimited', now())`,
  `INSERT INTO users (id, email, created_at) VALUES ('usr_1', 'owner@example.com', now())`,
  `INSERT INTO members (id, team_id, user_id, role, joined_at) VALUES ('mem_1', 'team_1', 'usr_1', 'owner', now())`,
  `INSERT INTO bulk_jobs (id, team_id, mode, state, refresh, total, empty, addresses, processed, verified, charged, by_reason, bounces,
     chunks_left, deferred_left, retention_days, created_at, touched_at)
   VALUES ('job_1', 'team_1', 'live', 'completed', false, ${ROWS}, 0, ${ROWS}, ${ROWS}, ${ROWS}, 0,
     '{"accepted_email": ${ROWS}}', '{}', 0, 0, 30, now(), now())`,
  `INSERT INTO bulk_rows (list, idx, address_key, email) SELECT 1, n, ${KEY}, 'user' || n || '@example.com' FROM generate_series(1, ${ROWS}) AS n`,
  `INSERT INTO bulk_results (address_key, reason, probed, verdict) SELECT ${KEY}, 'accepted_email', true, ${VERDICT} FROM generate_series(1, ${ROWS}) AS n`,
  `INSERT INTO bulk_row_reasons (list, idx, reason) SELECT 1, n, 'accepted_email' FROM generate_series(1, ${ROWS}) AS n`,
];

async function run(args: string[], url: string): Promise<void> {
  const env = {
    ...process.env,
    DATABASE_URL: url,
    SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
    RCPT_PASSPHRASE: '',
  };
  const began = performance.now();
  const child = spawn(process.execPath, ['bin/rcpt.js', ...args], {
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  let peakKb = 0;
  const watch = setInterval(() => {
    void readFile(`/proc/${child.pid}/status`, 'utf8').then(
      (status) => (peakKb = Math.max(peakKb, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0))),
      () => undefined,
    );
  }, 100);
  const [code] = (await once(child, 'close')) as [number];
  clearInterval(watch);
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  console.log(`rcpt ${args[0]}: exit ${code}, ${seconds} s, ${Math.round(peakKb / 1_024)} MB`);
}

await withDatabase(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rcpt-bench-'));
  const [source, target] = [await aFreshDatabase(), await anEmptyDatabase()];
  const dataSource = await createDataSource(source.url, [], 1, 600_000).initialize();
  for (const statement of STATEMENTS) await dataSource.query(statement);
  await dataSource.destroy();
  const archive = join(folder, 'rcpt.backup');
  await run(['migrate'], source.url);
  await run(['backup', archive], source.url);
  console.log(`archive: ${Math.round((await stat(archive)).size / 1e6)} MB`);
  await run(['restore', archive], target.url);
  await run(['check-data'], target.url);
  await rm(folder, { recursive: true });
});
