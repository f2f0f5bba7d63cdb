// Runs before the first test: starts one PostgreSQL for the whole run, creates a migrated template
// database, and a file for all log lines.
import { readFileSync, rmSync } from 'node:fs';
import { chmod, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedPostgres } from '../../../src/platform/database/embedded/embedded-postgres.ts';
import { onServer } from '../database/fresh-database.ts';
import { makeOriginal } from '../database/original-database.ts';
import { scanLogs } from './log-scan.ts';
import { memoryDirectory } from './memory-directory.mjs';

/** Durability across a system crash is not needed: the tests only kill processes. */
const SETTINGS = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
};

export default async function setup() {
  const memory = await memoryDirectory();
  // The variable is that of the workers too.
  if (memory !== null) process.env.TMPDIR = memory;
  const dataDir = await mkdtemp(join(tmpdir(), 'rcpt-test-'));
  // For root the server runs as another user, who must be able to enter the directory.
  await chmod(dataDir, 0o755);
  const server = await EmbeddedPostgres.open({ dataDir, log: () => undefined });
  for (const [setting, value] of Object.entries(SETTINGS))
    await onServer(server.url, `ALTER SYSTEM SET ${setting} = ${value}`);
  await onServer(server.url, 'SELECT pg_reload_conf()');
  // By default, SCRAM hashes the password 4,096 times for each connection.
  const { password } = new URL(server.url);
  await onServer(server.url, `SET scram_iterations = 1; ALTER ROLE postgres PASSWORD '${password}'`);
  await makeOriginal(server.url);
  const log = join(dataDir, 'all.log');
  await writeFile(log, '');
  process.env.RCPT_TEST_DATABASE = server.url;
  process.env.RCPT_TEST_LOG = log;
  // With one worker, an uncaught error in a test ends this process.
  const stopNow = () => {
    const file = join(dataDir, 'postgres', 'cluster', 'postmaster.pid');
    process.kill(Number(readFileSync(file, 'utf8').split('\n')[0]), 'SIGQUIT');
    rmSync(memory ?? dataDir, { recursive: true, force: true });
  };
  process.once('exit', stopNow);
  globalThis.endTestRun = async () => {
    process.off('exit', stopNow);
    await server.close();
    try {
      scanLogs(log);
    } finally {
      await rm(await realpath(join(dataDir, 'postgres')), { recursive: true, force: true });
      for (const directory of [dataDir, memory])
        if (directory !== null) await rm(directory, { recursive: true, force: true, maxRetries: 5 });
    }
  };
}
