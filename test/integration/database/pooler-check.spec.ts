import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createDataSource } from '../../../src/platform/database/data-source.js';
import { refuseTransactionPooling } from '../../../src/platform/database/pooler-check.js';
import { aFreshDatabase } from '../../support/database/fresh-database.js';
import { hasPgBouncer, PgBouncer } from '../../support/database/pgbouncer.js';

const where = hasPgBouncer ? '' : ' (PgBouncer is not installed)';

describe('the connection to the database', () => {
  let database: Awaited<ReturnType<typeof aFreshDatabase>>;

  beforeEach(async () => {
    database = await aFreshDatabase();
  });

  afterEach(() => database.drop());

  async function check(url: string): Promise<string> {
    const dataSource = await createDataSource(url, [], 2).initialize();
    try {
      await refuseTransactionPooling(dataSource);
      const [row] = await dataSource.query<{ limit: string }[]>(
        `SELECT current_setting('statement_timeout') AS limit`,
      );
      return row?.limit ?? '';
    } finally {
      await dataSource.destroy();
    }
  }

  it('is accepted without a pooler, and has a statement timeout', async () => {
    await expect(check(database.url)).resolves.toBe('10s');
  });

  (hasPgBouncer ? it : it.skip)(`is accepted through a pooler in session mode${where}`, async () => {
    const pooler = await PgBouncer.start(database.url, 'session');
    await expect(check(pooler.url).finally(() => pooler.stop())).resolves.toBe('10s');
  });

  (hasPgBouncer ? it : it.skip)(`is refused through a pooler in transaction mode${where}`, async () => {
    const pooler = await PgBouncer.start(database.url, 'transaction');
    await expect(check(pooler.url).finally(() => pooler.stop())).rejects.toThrow(
      /pooler in transaction mode.*Set pool_mode = session/,
    );
  });
});
