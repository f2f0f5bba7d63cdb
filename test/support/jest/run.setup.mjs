// Runs before the first test: starts one PostgreSQL for the whole run, creates a migrated template
// database, a file for all log lines, and one for what this machine lacks.
import { readFileSync, rmSync } from 'node:fs';
import { chmod, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedPostgres } from '../../../src/platform/database/embedded/embedded-postgres.ts';
import { onServer } from '../database/fresh-database.ts';
import { makeOriginal } from '../database/original-database.ts';
import { scanLogs } from './log-scan.ts';
import { whatIsLacking } from './machine.ts';
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
    await onServer(server.administratorUrl, `ALTER SYSTEM SET ${setting} = ${value}`);
  await onServer(server.administratorUrl, 'SELECT pg_reload_conf()');
  // Each test has a database of its own; the role is an ordinary one otherwise.
  await onServer(server.administratorUrl, 'ALTER ROLE rcpt CREATEDB');
  // Some plant rows that no constraint would allow.
  await onServer(server.administratorUrl, 'GRANT SET ON PARAMETER session_replication_role TO rcpt');
  // By default, SCRAM hashes the password 4,096 times for each connection.
  const { password } = new URL(server.url);
  await onServer(server.administratorUrl, `SET scram_iterations = 1; ALTER ROLE rcpt PASSWORD '${password}'`);
  await makeOriginal(server.url);
  const log = join(dataDir, 'all.log');
  await writeFile(log, '');
  process.env.RCPT_TEST_DATABASE = server.url;
  process.env.RCPT_TEST_ADMINISTRATOR = server.administratorUrl;
  process.env.RCPT_TEST_LOG = log;
  // Made by the first test that needs it.
  process.env.RCPT_TEST_CLUSTER = join(dataDir, 'cluster');
  const lacks = join(dataDir, 'lacks');
  await writeFile(lacks, '');
  process.env.RCPT_TEST_LACKS = lacks;
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
      process.stdout.write(whatIsLacking(lacks) ?? '');
      scanLogs(log);
    } finally {
      await rm(await realpath(join(dataDir, 'postgres')), { recursive: true, force: true });
      for (const directory of [dataDir, memory])
        if (directory !== null) await rm(directory, { recursive: true, force: true, maxRetries: 5 });
    }
  };
}
