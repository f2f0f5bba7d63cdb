import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { PostgresWarmupStore } from '../../src/modules/verification/adapters/postgres-warmup-store.js';
import { EgressWarmup } from '../../src/modules/verification/domain/egress-warmup.js';
import { createDataSource } from '../../src/platform/database/data-source.js';
import { PostgresUnitOfWork } from '../../src/platform/database/postgres-unit-of-work.js';
import { SCHEMAS } from '../../src/schema.js';
import { aFreshDatabase } from '../support/database/fresh-database.js';
import { aPlan } from '../support/verification/warmup.js';

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
const google = { egress: 'a', provider: 'google', team: 'team_1' };
const takeMany = async (count: number, from = aProcess(), team = 'team_1') =>
  (await Promise.all(Array.from({ length: count }, () => from.take({ ...google, team })))).filter(Boolean)
    .length;
const row = async () => (await source.query<object[]>('SELECT *, day::text AS day FROM egress_warmup'))[0];
const putBack = async (days: number) => {
  await source.query('UPDATE egress_warmup SET day = day - $1::integer', [days]);
  await source.query('UPDATE egress_warmup_teams SET day = day - $1::integer', [days]);
};

const teams = () => source.query<object[]>('SELECT team_id, used FROM egress_warmup_teams ORDER BY team_id');

it('four processes at once never take more than the ceiling of the day, nor one team the share of another', async () => {
  const taken = await Promise.all(Array.from({ length: 4 }, () => takeMany(60)));
  const first = taken.reduce((sum, each) => sum + each, 0);
  expect(first).toBeGreaterThanOrEqual(50);
  const second = await takeMany(60, aProcess(), 'team_2');
  expect(first + second).toBeLessThanOrEqual(100);
  expect(await teams()).toEqual([
    { team_id: 'team_1', used: first },
    { team_id: 'team_2', used: second },
  ]);
  const today = new Date().toISOString().slice(0, 10);
  expect(await row()).toMatchObject({ day: today, ceiling: 100, used: first + second, refused: 0 });
});

it('the next day has the grown ceiling, and one after refusals a smaller one', async () => {
  await putBack(3);
  await source.query('UPDATE egress_warmup SET used = 100');
  const process = aProcess();
  expect(await takeMany(60, process)).toBe(60);
  for (let n = 0; n < 30; n += 1) process.refused(google);
  await process.close();
  expect(await row()).toMatchObject({ ceiling: 200, used: 60, refused: 30 });
  await putBack(1);
  await takeMany(1);
  expect(await row()).toMatchObject({ ceiling: 100 });
});

it('counters of an egress or a team that are not used any more are deleted', async () => {
  expect(await aStore().deleteUnused()).toBe(1);
  expect(await teams()).toEqual([{ team_id: 'team_1', used: expect.any(Number) }]);
  await putBack(61);
  expect(await aStore().deleteUnused()).toBe(2);
  expect(await row()).toBeUndefined();
  expect(await teams()).toEqual([]);
});
