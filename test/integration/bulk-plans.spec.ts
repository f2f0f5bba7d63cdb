import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { PostgresListRepository } from '../../src/modules/bulk/adapters/postgres-list.repository.js';
import { rangesFor } from '../../src/modules/bulk/domain/hash-range.js';
import { createDataSource } from '../../src/platform/database/data-source.js';
import { migrate } from '../../src/platform/database/migrate.js';
import { PostgresUnitOfWork } from '../../src/platform/database/postgres-unit-of-work.js';
import { aFreshDatabase } from '../support/fresh-database.js';

const ROWS = 20_000;

let database: Awaited<ReturnType<typeof aFreshDatabase>>;
let dataSource: DataSource;
beforeAll(async () => {
  database = await aFreshDatabase();
  // Two for migrating; then each statement is done before the next, on one connection, which counts what it reads.
  dataSource = await createDataSource(database.url, [], 2).initialize();
  await migrate(dataSource);
  await dataSource.destroy();
  dataSource = await createDataSource(database.url, [], 1).initialize();
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

async function fill(list: number): Promise<void> {
  const rows = `generate_series(0, ${ROWS - 1}) AS i`;
  await dataSource.query(
    `INSERT INTO bulk_rows SELECT ${list}, i, int8send(${list}) || sha256(('a' || i)::bytea), 'a' || i, NULL FROM ${rows};
     INSERT INTO bulk_results SELECT int8send(${list}) || sha256(('a' || i)::bytea), 'null_mx', false,
            '{"verifiedAt":"2030-01-01"}' FROM ${rows}`,
  );
}

async function tuplesRead(): Promise<number> {
  await dataSource.query('SELECT pg_stat_force_next_flush()');
  const [row] = await dataSource.query<{ n: string }[]>(
    `SELECT sum(idx_tup_fetch + seq_tup_read) AS n FROM pg_stat_user_tables
      WHERE relname IN ('bulk_rows', 'bulk_results')`,
  );
  return Number(row?.n);
}

it('a list that the planner has not heard of is read by ranges of indexes, never whole for a row', async () => {
  await fill(1);
  await dataSource.query('ANALYZE bulk_rows, bulk_results');
  await fill(2);
  const lists = new PostgresListRepository(new PostgresUnitOfWork(dataSource));
  const before = await tuplesRead();
  let found = 0;
  for (const range of rangesFor(ROWS)) found += (await lists.addresses('2', range)).length;
  expect(found).toBe(ROWS);
  const page = await lists.results('2', 10_000, 1_000, { reason: 'null_mx' });
  expect(page.map(({ index }) => index)).toEqual(Array.from({ length: 1_000 }, (_, n) => 10_001 + n));
  const read = (await tuplesRead()) - before;
  expect(read).toBeGreaterThanOrEqual(ROWS + 2_000);
  expect(read).toBeLessThan(2 * ROWS);
});

it('the addresses of a list too long for one statement are counted in parts, each once', async () => {
  await dataSource.query(
    `INSERT INTO bulk_rows SELECT list, i, int8send(list) || sha256(('b' || i / 2)::bytea), 'b' || i / 2, NULL
       FROM generate_series(0, 9999) AS i, unnest(ARRAY[3, 4]) AS list`,
  );
  const lists = new PostgresListRepository(new PostgresUnitOfWork(dataSource));
  expect(await lists.countAddresses('3', 10_000)).toBe(5_000);
  expect(await lists.countAddresses('3', 2_000_000)).toBe(5_000);
});
