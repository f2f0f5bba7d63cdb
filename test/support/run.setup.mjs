// Before the first test: one real PostgreSQL for the whole run, with a migrated
// database that those of the suites are copies of, and a file for all that is logged.
import { chmod, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { register } from 'tsx/esm/api';

async function onServer(url, statements) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

export default async function setup() {
  const unregister = register();
  const { EmbeddedPostgres } = await import('../../src/platform/database/embedded-postgres.ts');
  const { createDataSource } = await import('../../src/platform/database/data-source.ts');
  const { migrate } = await import('../../src/platform/database/migrate.ts');
  const { scanLogs } = await import('./log-scan.ts');
  await unregister();
  const dataDir = await mkdtemp(join(tmpdir(), 'rcpt-test-'));
  // Under root the server runs as a plain user, who must get there.
  await chmod(dataDir, 0o755);
  const server = await EmbeddedPostgres.open({ dataDir, log: () => undefined });
  // Nothing need outlive the machine: what the tests kill are processes.
  await onServer(server.url, [
    'ALTER SYSTEM SET fsync = off',
    'ALTER SYSTEM SET full_page_writes = off',
    'SELECT pg_reload_conf()',
    'CREATE DATABASE migrated',
  ]);
  const url = new URL(server.url);
  url.pathname = '/migrated';
  const original = await createDataSource(url.href, [], 2).initialize();
  await migrate(original);
  await original.destroy();
  const log = join(dataDir, 'all.log');
  await writeFile(log, '');
  process.env.RCPT_TEST_DATABASE = server.url;
  process.env.RCPT_TEST_LOG = log;
  globalThis.endTestRun = async () => {
    await server.close();
    try {
      scanLogs(log);
    } finally {
      await rm(await realpath(join(dataDir, 'postgres')), { recursive: true, force: true });
      await rm(dataDir, { recursive: true, force: true });
    }
  };
}
