import { createDataSource } from '../../../src/platform/database/data-source.js';
import { migrate } from '../../../src/platform/database/migrate.js';
import { ORIGINAL, onServer } from './fresh-database.js';

/** Creates the template of `aFreshDatabase` on a new server. */
export async function makeOriginal(server: string): Promise<void> {
  await onServer(server, `CREATE DATABASE ${ORIGINAL}`);
  const url = new URL(server);
  url.pathname = `/${ORIGINAL}`;
  const original = await createDataSource(url.href, [], 2).initialize();
  await migrate(original);
  await original.destroy();
}
