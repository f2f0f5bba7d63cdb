import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedPostgres } from '../src/platform/database/embedded/embedded-postgres.js';
import { onServer } from '../test/support/database/fresh-database.js';
import { makeOriginal } from '../test/support/database/original-database.js';

/** Runs a benchmark with a new PostgreSQL for `BulkFleet`. */
export async function withDatabase(work: () => Promise<void>): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'rcpt-bench-'));
  await chmod(dataDir, 0o755);
  const server = await EmbeddedPostgres.open({ dataDir, log: () => undefined });
  await onServer(server.administratorUrl, 'ALTER ROLE rcpt CREATEDB');
  process.env.RCPT_TEST_ADMINISTRATOR = server.administratorUrl;
  process.env.RCPT_TEST_DATABASE = server.url;
  process.env.RCPT_TEST_LOG = '/dev/null';
  await makeOriginal(server.url);
  try {
    await work();
  } finally {
    await server.close();
    await rm(await realpath(join(dataDir, 'postgres')), { recursive: true, force: true });
    await rm(dataDir, { recursive: true, force: true });
  }
}
