import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { PostgresListRepository } from '../../../src/modules/lists/bulk/adapters/postgres-list.repository.js';
import type { ListId } from '../../../src/kernel/ids.js';
import type { Reason, Verdict } from '../../../src/kernel/verdict.js';
import { toVerdict } from '../../../src/engine/judge.js';
import type { RowFilter } from '../../../src/modules/lists/bulk/domain/list.repository.js';
import { rangesFor, chunksOf } from '../../../src/modules/lists/bulk/domain/hash-range.js';
import { createDataSource } from '../../../src/platform/database/data-source.js';
import { migrate } from '../../../src/platform/database/migrate.js';
import { PostgresUnitOfWork } from '../../../src/platform/database/transactions/postgres-unit-of-work.js';
import { aFreshDatabase, asAdministrator } from '../../support/database/fresh-database.js';

const ROWS = 20_000;
const PER_CHUNK = 500;

let database: Awaited<ReturnType<typeof aFreshDatabase>>;
let dataSource: DataSource;
beforeAll(async () => {
  database = await aFreshDatabase();
  // Two for the migrations; then statements run one by one on one connection, which counts its reads.
  dataSource = await createDataSource(database.url, [], 2).initialize();
  await migrate(dataSource);
  await dataSource.destroy();
  dataSource = await createDataSource(database.url, [], 1).initialize();
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

/** Row i has the reason `null_mx` where i is a multiple of 100, `catch_all` at the very end, else `accepted_email`. */
const REASON = `CASE WHEN i % 100 = 0 THEN 'null_mx' WHEN i >= ${ROWS} - 10 THEN 'catch_all' ELSE 'accepted_email' END`;

async function fillRows(list: number): Promise<void> {
  await dataSource.query(
    `INSERT INTO bulk_rows SELECT ${list}, i, int8send(${list}) || sha256(('a' || i)::bytea), 'a' || i, NULL
       FROM generate_series(0, ${ROWS - 1}) AS i`,
  );
}

async function fill(list: number): Promise<void> {
  const rows = `generate_series(0, ${ROWS - 1}) AS i`;
  await fillRows(list);
  await dataSource.query(
    `INSERT INTO bulk_results SELECT int8send(${list}) || sha256(('a' || i)::bytea), ${REASON}, false,
            '{"email":"a@example.com","verifiedAt":"2030-01-01"}' FROM ${rows};
     INSERT INTO bulk_row_reasons SELECT ${list}, i, ${REASON} FROM ${rows}`,
  );
}

/** Table rows and entries of the reason index read by statements so far. */
async function tuplesRead(): Promise<number> {
  await dataSource.query('SELECT pg_stat_force_next_flush()');
  const [row] = await dataSource.query<{ n: string }[]>(
    `SELECT (SELECT sum(idx_tup_fetch + seq_tup_read) FROM pg_stat_user_tables
              WHERE relname IN ('bulk_rows', 'bulk_results', 'bulk_row_reasons'))
          + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE relname = 'bulk_row_reasons') AS n`,
  );
  return Number(row?.n);
}

function verdictOf(reason: Reason | undefined): Verdict {
  return {
    ...toVerdict('', { kind: 'syntax', error: 'empty' }, { roleIsRisky: false }, new Date(0), 0),
    reason: reason ?? 'internal_error',
  };
}

const idOf = (list: number) => String(list) as ListId;
type Lists = PostgresListRepository;
const room = (rows: number) => ({ rows, bytes: 1e9, bytesPerRow: 0 });
type Wanted = Omit<RowFilter, 'isDistinct'> & Partial<RowFilter>;
const resultsOf = async (lists: Lists, list: number, wanted: Wanted, after: number, rows: number) =>
  (await lists.listResults(idOf(list), { isDistinct: false, ...wanted }, after, room(rows))).rows;
const indexesOf = (page: readonly { index: number }[]) => page.map(({ index }) => index);
const series = (count: number, at: (n: number) => number) => Array.from({ length: count }, (_, n) => at(n));

it('a list without planner statistics is read by index ranges, never completely for a row', async () => {
  await fill(1);
  await dataSource.query('ANALYZE bulk_rows, bulk_results, bulk_row_reasons');
  await fill(2);
  const lists = new PostgresListRepository(new PostgresUnitOfWork(dataSource));
  const before = await tuplesRead();
  let found = 0;
  for (const range of rangesFor(ROWS, PER_CHUNK)) found += (await lists.listAddresses(idOf(2), range)).length;
  expect(found).toBe(ROWS);
  expect(indexesOf(await resultsOf(lists, 2, { reasons: null, text: null }, 10_000, 1_000))).toEqual(
    series(1_000, (n) => 10_001 + n),
  );
  const read = (await tuplesRead()) - before;
  expect(read).toBeGreaterThanOrEqual(ROWS + 2_000);
  expect(read).toBeLessThan(2 * ROWS);
});

const statistics = async () => {
  const tables = ['bulk_rows', 'bulk_results', 'bulk_row_reasons'];
  for (const table of tables) await dataSource.query(`ALTER TABLE ${table} SET (autovacuum_enabled = off)`);
  await dataSource.query(`TRUNCATE ${tables.join()}`);
  await asAdministrator(database.url, 'DELETE FROM pg_statistic');
  return {
    none: async () => {
      await fill(2);
      // Many, so that the planner considers several plans.
      await dataSource.query(
        `INSERT INTO bulk_row_reasons SELECT 1, i, 'accepted_email' FROM generate_series(0, 199999) AS i`,
      );
    },
    'those of another list': async () => {
      await fill(1);
      await dataSource.query('VACUUM ANALYZE bulk_rows, bulk_results, bulk_row_reasons');
      await fill(2);
    },
    'its own': async () => {
      await fill(1);
      await fill(2);
      await dataSource.query('VACUUM ANALYZE bulk_rows, bulk_results, bulk_row_reasons');
    },
  };
};

it.each(['none', 'those of another list', 'its own'] as const)(
  'a filtered page reads little more than its rows when the planner’s statistics are %s',
  async (which) => {
    await (await statistics())[which]();
    const lists = new PostgresListRepository(new PostgresUnitOfWork(dataSource));
    const read = async (work: () => Promise<readonly { index: number }[]>, expected: number[]) => {
      const before = await tuplesRead();
      expect(indexesOf(await work())).toEqual(expected);
      return (await tuplesRead()) - before;
    };
    const atTheEnd = await read(
      () => resultsOf(lists, 2, { reasons: ['catch_all', 'role'], text: null }, -1, 1),
      [ROWS - 10],
    );
    expect(atTheEnd).toBeLessThan(10);
    const absent = await read(() => resultsOf(lists, 2, { reasons: ['timeout'], text: null }, -1, 1_000), []);
    expect(absent).toBeLessThan(10);
    const spread = await read(
      () => resultsOf(lists, 2, { reasons: ['null_mx', 'catch_all'], text: null }, 9_999, 100),
      series(100, (n) => 10_000 + n * 100),
    );
    expect(spread).toBeLessThan(1_000);
    const first = await read(
      () => resultsOf(lists, 2, { reasons: ['accepted_email'], text: null }, -1, 10),
      series(10, (n) => n + 1),
    );
    expect(first).toBeLessThan(100);
    const three: Wanted = { reasons: ['accepted_email', 'null_mx', 'catch_all'], text: null };
    const all = await read(
      () => resultsOf(lists, 2, three, ROWS - 21, 1_000),
      series(20, (n) => ROWS - 20 + n),
    );
    expect(all).toBeLessThan(200);
    const found = await read(
      () => resultsOf(lists, 2, { reasons: null, text: 'A1' }, 9_999, 100),
      series(100, (n) => 10_000 + n),
    );
    expect(found).toBeLessThan(1_000);
    const rare = await read(
      () => resultsOf(lists, 2, { reasons: ['null_mx'], text: 'a10100' }, -1, 100),
      [10_100],
    );
    expect(rare).toBeLessThan(1_000);
    const distinct = await read(
      () => resultsOf(lists, 2, { reasons: null, text: null, isDistinct: true }, 9_999, 100),
      series(100, (n) => 10_000 + n),
    );
    expect(distinct).toBeLessThan(1_000);
    const whole = await read(
      () => resultsOf(lists, 2, { reasons: null, text: null }, 10_000, 1_000),
      series(1_000, (n) => 10_001 + n),
    );
    expect(whole).toBeLessThan(3_000);
  },
);

it('results are recorded by index, also when the statistics say that all rows have one address', async () => {
  await statistics();
  await dataSource.query(
    `INSERT INTO bulk_rows SELECT 1, i, int8send(1) || sha256('a'), 'a', NULL FROM generate_series(0, ${ROWS - 1}) AS i`,
  );
  await dataSource.query('VACUUM ANALYZE bulk_rows');
  await fillRows(2);
  const work = new PostgresUnitOfWork(dataSource);
  const lists = new PostgresListRepository(work);
  const [range = { from: Buffer.alloc(0), to: Buffer.alloc(0) }] = rangesFor(ROWS, PER_CHUNK);
  const addresses = await lists.listAddresses(idOf(2), range);
  const verdict = verdictOf('accepted_email');
  const before = await tuplesRead();
  await work.run(() =>
    lists.addResults(
      { listId: idOf(2), uniqueBy: 'address' },
      addresses.map((address) => ({ ...address, verdict, probed: false })),
    ),
  );
  expect((await tuplesRead()) - before).toBeLessThan(3 * addresses.length);
  const found = await resultsOf(lists, 2, { reasons: ['accepted_email'], text: null }, -1, ROWS);
  expect(found).toHaveLength(addresses.length);
});

it('an address in most rows of a long list is recorded in parts, each row once', async () => {
  await statistics();
  const rows = 45_000;
  await dataSource.query(
    `INSERT INTO bulk_rows SELECT 5, i, int8send(5) || sha256(('a' || i % 3)::bytea), 'a' || i % 3, NULL
       FROM generate_series(0, ${rows - 1}) AS i`,
  );
  const work = new PostgresUnitOfWork(dataSource);
  const lists = new PostgresListRepository(work);
  const [whole] = rangesFor(1, PER_CHUNK);
  const addresses = await lists.listAddresses(
    idOf(5),
    whole ?? { from: Buffer.alloc(0), to: Buffer.alloc(0) },
  );
  const reasons = { a0: 'accepted_email', a1: 'null_mx', a2: 'accepted_email' } as Record<string, Reason>;
  const results = addresses.map((address) => ({
    ...address,
    verdict: verdictOf(reasons[address.email]),
    probed: false,
  }));
  await work.run(() => lists.addResults({ listId: idOf(5), uniqueBy: 'address' }, results));
  const found = await resultsOf(lists, 5, { reasons: ['null_mx'], text: null }, -1, rows);
  expect(indexesOf(found)).toEqual(series(rows / 3, (n) => 3 * n + 1));
  const [all] = await dataSource.query<{ n: number }[]>(
    'SELECT count(*)::integer AS n FROM bulk_row_reasons WHERE list = 5',
  );
  expect(all?.n).toBe(rows);
});

/** Rows of a list whose row n is in the domain and has the address that the SQL expressions in `i` give. */
const fillDomains = (list: number, rows: number, domain: string, address: string) =>
  dataSource.query(
    `INSERT INTO bulk_rows
     SELECT ${list}, i, int8send(${list}) || substring(sha256((${domain})::bytea) FOR 4) || sha256((${address})::bytea), 'b', NULL
       FROM generate_series(0, ${rows - 1}) AS i`,
  );

it('the addresses of a list too long for one statement are counted in parts, each once', async () => {
  for (const list of [3, 4]) await fillDomains(list, 10_000, `'d' || i / 2 % 40`, `'b' || i / 2`);
  const lists = new PostgresListRepository(new PostgresUnitOfWork(dataSource));
  const count = async (total: number) =>
    (await lists.countAddresses(idOf(3), total, PER_CHUNK, new Map())).reduce(
      (sum, { addresses }) => sum + addresses,
      0,
    );
  expect(await count(10_000)).toBe(5_000);
  expect(await count(2_000_000)).toBe(5_000);
});

it('a chunk has whole domains, and only a large domain is divided into several', async () => {
  const [large, small] = [3_000, 2_000];
  await fillDomains(
    6,
    large + small,
    `CASE WHEN i < ${large} THEN 'large' ELSE 'd' || i % 50 END`,
    `'b' || i`,
  );
  const lists = new PostgresListRepository(new PostgresUnitOfWork(dataSource));
  const groups = await lists.countAddresses(idOf(6), large + small, PER_CHUNK, new Map());
  const ranges = chunksOf(groups, PER_CHUNK);
  const chunks: { size: number; domains: Set<string> }[] = [];
  for (const range of ranges) {
    const found = await lists.listAddresses(idOf(6), range);
    const domains = new Set(found.map(({ addressKey }) => addressKey.subarray(0, 4).toString('hex')));
    chunks.push({ size: found.length, domains });
  }
  expect(chunks.reduce((sum, { size }) => sum + size, 0)).toBe(large + small);
  expect(chunks.every(({ size }) => size > 0 && size < 1_000)).toBe(true);
  const countOf = (domain: string) => chunks.filter(({ domains }) => domains.has(domain)).length;
  const counts = [...new Set(chunks.flatMap(({ domains }) => [...domains]))].map(countOf);
  expect(counts.sort((a, b) => a - b)).toEqual([...new Array<number>(50).fill(1), 6]);
});

it.each(['none', 'those of another list'])(
  'a chunk of domains is read by index when the statistics are %s',
  async (kind) => {
    const [list, domains] = [7, 200];
    await dataSource.query('TRUNCATE bulk_rows');
    await asAdministrator(database.url, 'DELETE FROM pg_statistic');
    if (kind !== 'none') await fillDomains(8, ROWS, `'d' || i % 7`, `'c' || i`);
    await dataSource.query(kind === 'none' ? 'SELECT 1' : 'VACUUM ANALYZE bulk_rows');
    await fillDomains(list, ROWS, `'d' || i % ${domains}`, `'c' || i`);
    const lists = new PostgresListRepository(new PostgresUnitOfWork(dataSource));
    const known = await dataSource.query<{ domain: string }[]>(
      `SELECT encode(substring(sha256(('d' || i)::bytea) FOR 4), 'hex') AS domain FROM generate_series(0, 49) AS i`,
    );
    const providers = new Map(known.map(({ domain }) => [domain, 'google']));
    const groups = await lists.countAddresses(idOf(list), ROWS, PER_CHUNK, providers);
    const chunks = chunksOf(groups, PER_CHUNK);
    const before = await tuplesRead();
    const found: string[] = [];
    for (const chunk of chunks)
      for (const { addressKey } of await lists.listAddresses(idOf(list), chunk))
        found.push(addressKey.toString('hex'));
    expect((await tuplesRead()) - before).toBe(ROWS);
    expect([found.length, new Set(found).size]).toEqual([ROWS, ROWS]);
    expect(chunks.filter(({ servers }) => servers?.toString() === 'google')).toHaveLength(10);
  },
);
