import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { PostgresApiKeyRepository } from '../../../src/modules/identity/api-keys/adapters/postgres-api-key.repository.js';
import { SCHEMAS } from '../../../src/modules/schema.js';
import { createDataSource } from '../../../src/platform/database/data-source.js';
import { PostgresUnitOfWork } from '../../../src/platform/database/transactions/postgres-unit-of-work.js';
import { aFreshDatabase } from '../../support/database/fresh-database.js';

describe('two processes that write many rows at once', () => {
  let database: Awaited<ReturnType<typeof aFreshDatabase>>;
  let dataSource: DataSource;
  let other: Client;
  let keys: PostgresApiKeyRepository;

  beforeAll(async () => {
    database = await aFreshDatabase();
    dataSource = await createDataSource(database.url, SCHEMAS, 4).initialize();
    other = new Client({ connectionString: database.url });
    await other.connect();
    keys = new PostgresApiKeyRepository(new PostgresUnitOfWork(dataSource));
    await dataSource.query(
      "INSERT INTO teams (id, name, base_tier, created_at) VALUES ('team_1', 'A', 'free', now())",
    );
  });
  beforeEach(async () => {
    await dataSource.query('DELETE FROM api_keys');
    for (const id of ['key_1', 'key_2', 'key_3'])
      await dataSource.query(
        `INSERT INTO api_keys (id, team_id, mode, digest, last4, created_at, name)
         VALUES ($1, 'team_1', 'live', sha256(convert_to($1, 'UTF8')), 'abcd', now(), 'a')`,
        [id],
      );
  });
  afterAll(async () => {
    await other.end();
    await dataSource.destroy();
    await database.drop();
  });

  const revoke = (id: string) => other.query('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [id]);
  const isWaiting = async () => {
    const waiting = await dataSource.query<unknown[]>(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return waiting.length > 0;
  };

  it.each([
    ['key_1', 'key_3'],
    ['key_3', 'key_1'],
  ])('never wait for each other in a circle: %s, then %s', async (first, then) => {
    await other.query('BEGIN');
    await revoke(first);
    let isSaved = false;
    const at = new Date();
    const uses = new Map([then, first, 'key_2'].map((id) => [id, at] as const));
    const saved = keys.saveUses(uses).finally(() => (isSaved = true));
    // What waits in a circle is refused to one of the two, perhaps before this is waited for.
    saved.catch(() => undefined);
    while (!isSaved && !(await isWaiting()));
    await revoke(then);
    await other.query('COMMIT');
    await saved;
    const used = await dataSource.query<{ id: string }[]>(
      'SELECT id FROM api_keys WHERE last_used_at IS NOT NULL ORDER BY id',
    );
    // The key that the other process held is saved with its next use.
    expect(used.map(({ id }) => id)).toEqual(['key_1', 'key_2', 'key_3'].filter((id) => id !== first));
  });
});
