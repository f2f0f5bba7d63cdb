import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { ClientBase } from 'pg';
import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';
import { createDataSource } from '../../../src/platform/database/data-source.js';
import { isMigrated, migrate } from '../../../src/platform/database/migrate.js';
import { MIGRATIONS } from '../../../src/platform/database/migrations.js';
import { SCHEMAS } from '../../../src/modules/schema.js';
import { anEmptyDatabase } from '../../support/database/fresh-database.js';

class SlowMigration implements MigrationInterface {
  readonly name = 'Slow9999999999999';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE IF NOT EXISTS slow (run int)');
    await runner.query('INSERT INTO slow SELECT 1 FROM pg_sleep(2)');
  }

  async down(): Promise<void> {}
}

describe('the migrations', () => {
  let database: Awaited<ReturnType<typeof anEmptyDatabase>>;
  let pools: DataSource[];

  beforeEach(async () => {
    database = await anEmptyDatabase();
    pools = await Promise.all([aPool(), aPool()]);
  });

  afterEach(async () => {
    await Promise.all(pools.map((pool) => pool.destroy()));
    await database.drop();
  });

  const aPool = () => createDataSource(database.url, SCHEMAS, 3).initialize();
  /** A pool with a statement timeout of 0.5 s and an idle timeout of 1 s; one migration takes 2 s. */
  async function anImpatientPool(): Promise<DataSource> {
    const pool = createDataSource(database.url, SCHEMAS, 3, 1_000);
    const onConnect = (client: ClientBase) => client.query('SET statement_timeout = 500');
    const extra = { ...(pool.options.extra as object), onConnect };
    return pool.setOptions({ extra, migrations: [...MIGRATIONS, SlowMigration] }).initialize();
  }

  const first = () => pools[0] as DataSource;

  async function tables(): Promise<string[]> {
    const rows = await first().query<{ name: string }[]>(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1`,
    );
    return rows.map(({ name }) => name);
  }

  /** Every column, index and constraint from the catalog. */
  async function shape(): Promise<unknown> {
    return first().query(`
      SELECT table_name || '.' || column_name AS what, data_type || ' ' || is_nullable AS how
        FROM information_schema.columns WHERE table_schema = 'public'
      UNION ALL SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'
      UNION ALL SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint
                 WHERE connamespace = 'public'::regnamespace
      ORDER BY 1, 2`);
  }

  it('bring an empty database up to date', async () => {
    expect(await isMigrated(first())).toBe(false);
    await migrate(first());
    expect(await isMigrated(first())).toBe(true);
    const mapped = SCHEMAS.map(({ options }) => options.tableName);
    expect(await tables()).toEqual(expect.arrayContaining(mapped));
  });

  it('run once when many processes start together, while others check them', async () => {
    await Promise.all([...pools, ...pools].flatMap((pool) => [isMigrated(pool), migrate(pool)]));
    const rows = await first().query<{ name: string }[]>('SELECT name FROM migrations ORDER BY id');
    expect(rows.map(({ name }) => name)).toEqual(MIGRATIONS.map(({ name }) => name));
  });

  it('are not started by checking them', async () => {
    expect(await isMigrated(first())).toBe(false);
    expect(await tables()).toEqual([]);
  });

  it('leave no lock and no setting behind', async () => {
    await migrate(first());
    const locks = await first().query<unknown[]>(
      `SELECT 1 FROM pg_locks JOIN pg_database d ON d.oid = database AND d.datname = current_database()
        WHERE locktype = 'advisory'`,
    );
    expect(locks).toEqual([]);
    const timeouts = await Promise.all(
      [1, 2, 3].map(() => first().query<{ statement_timeout: string }[]>('SHOW statement_timeout')),
    );
    expect(timeouts.flat().map((row) => row.statement_timeout)).toEqual(['10s', '10s', '10s']);
  });

  it('may take longer than the statement and idle timeouts, while another process waits', async () => {
    await migrate(first());
    const impatient = await Promise.all([anImpatientPool(), anImpatientPool()]);
    pools.push(...impatient);
    await expect(impatient[0].query('SELECT pg_sleep(1)')).rejects.toThrow('statement timeout');
    await Promise.all(impatient.map((pool) => migrate(pool)));
    const [times] = await first().query<{ times: number }[]>('SELECT count(*)::int AS times FROM slow');
    expect(times).toEqual({ times: 1 });
    expect(await Promise.all(impatient.map(isMigrated))).toEqual([true, true]);
  });

  it('that fail leave no lock behind', async () => {
    await first().query('CREATE TABLE teams (in_the_way integer)');
    const told = jest.spyOn(console, 'log').mockReturnValue(undefined);
    await expect(migrate(first())).rejects.toThrow('already exists');
    // What standard output has is the log of the service.
    expect(told).not.toHaveBeenCalled();
    told.mockRestore();
    await first().query('DROP TABLE teams');
    await migrate(pools[1] as DataSource);
    expect(await isMigrated(first())).toBe(true);
  });

  it('revert to an empty schema, and run again to the same one', async () => {
    await migrate(first());
    const before = await shape();
    for (let left = MIGRATIONS.length; left > 0; left--) await first().undoLastMigration();
    expect(await tables()).toEqual(['migrations']);
    expect(await isMigrated(first())).toBe(false);
    await migrate(first());
    expect(await shape()).toEqual(before);
  });
});
