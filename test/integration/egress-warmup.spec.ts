import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { PostgresWarmupStore } from '../../src/modules/verification/adapters/postgres-warmup-store.js';
import { EgressWarmup } from '../../src/modules/verification/domain/egress-warmup.js';
import { createDataSource } from '../../src/platform/database/data-source.js';
import { PostgresUnitOfWork } from '../../src/platform/database/postgres-unit-of-work.js';
import { SCHEMAS } from '../../src/schema.js';
import { aFreshDatabase } from '../support/fresh-database.js';
import { aPlan } from '../support/warmup.js';

const plan = aPlan({ google: 100 });
let database: Awaited<ReturnType<typeof aFreshDatabase>>;
let source: DataSource;
beforeAll(async () => {
  database = await aFreshDatabase();
  source = await createDataSource(database.url, SCHEMAS, 8).initialize();
});
afterAll(async () => {
  await source.destroy();
  await database.drop();
});

const aStore = () => new PostgresWarmupStore(new PostgresUnitOfWork(source), plan);
const aProcess = () =>
  new EgressWarmup({
    plan,
    store: aStore(),
    isWarm: () => false,
    nowMs: () => performance.now(),
    onFault: (error) => {
      throw error;
    },
  });
const takeMany = async (count: number, from = aProcess()) =>
  (await Promise.all(Array.from({ length: count }, () => from.take('a', 'google')))).filter(Boolean).length;
const row = async () => (await source.query<object[]>('SELECT *, day::text AS day FROM egress_warmup'))[0];
const putBack = (days: number) => source.query('UPDATE egress_warmup SET day = day - $1::integer', [days]);

it('four processes at once take the ceiling of the day exactly, and a later one takes nothing', async () => {
  const taken = await Promise.all(Array.from({ length: 4 }, () => takeMany(60)));
  expect(taken.reduce((sum, each) => sum + each, 0)).toBe(100);
  expect(await takeMany(1)).toBe(0);
  const today = new Date().toISOString().slice(0, 10);
  expect(await row()).toMatchObject({ day: today, ceiling: 100, used: 100, refused: 0 });
});

it('the next day has the grown ceiling, and one after refusals a smaller one', async () => {
  await putBack(1);
  const process = aProcess();
  expect(await takeMany(150, process)).toBe(150);
  for (let n = 0; n < 30; n += 1) process.refused('a', 'google');
  await process.close();
  expect(await row()).toMatchObject({ ceiling: 200, used: 150, refused: 30 });
  await putBack(1);
  expect(await takeMany(150)).toBe(100);
});

it('counters of an egress that is not used any more are deleted', async () => {
  expect(await aStore().deleteUnused()).toBe(0);
  await putBack(61);
  expect(await aStore().deleteUnused()).toBe(1);
  expect(await row()).toBeUndefined();
});
