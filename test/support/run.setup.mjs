// One real PostgreSQL for the whole run; every suite makes its own database on it.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { register } from 'tsx/esm/api';

export default async function setup() {
  const unregister = register();
  const { EmbeddedPostgres } = await import('../../src/platform/database/embedded-postgres.ts');
  await unregister();
  const dataDir = await mkdtemp(join(tmpdir(), 'rcpt-test-'));
  // Under root the server runs as a plain user, who must get there.
  await chmod(dataDir, 0o755);
  const server = await EmbeddedPostgres.open({ dataDir, log: () => undefined });
  process.env.RCPT_TEST_DATABASE = server.url;
  globalThis.stopTestDatabase = async () => {
    await server.close();
    await rm(dataDir, { recursive: true, force: true });
  };
}
