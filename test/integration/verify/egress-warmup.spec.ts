import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { PostgresWarmupStore } from '../../../src/modules/verification/mail-servers/adapters/postgres-warmup-store.js';
import { EgressWarmup } from '../../../src/engine/egress/egress-warmup.js';
import { createDataSource } from '../../../src/platform/database/data-source.js';
import { PostgresUnitOfWork } from '../../../src/platform/database/transactions/postgres-unit-of-work.js';
import { SCHEMAS } from '../../../src/modules/schema.js';
import { aFreshDatabase } from '../../support/database/fresh-database.js';
import { aPlan } from '../../support/verification/warmup.js';

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

const aStore = () => new PostgresWarmupStore(new PostgresUnitOfWork(source));
const aProcess = () =>
  new EgressWarmup({
    plan,
    store: aStore(),
    isWarm: () => false,
    nowMs: () => performance.now(),
    onStoreError: (error) => {
      throw error;
    },
  });
const google = { egress: 'a', provider: 'google', team: 'team_1' };
const takeMany = async (count: number, from = aProcess(), team = 'team_1') =>
  (
    await Promise.all(Array.from({ length: count }, () => from.record({ ...google, team, kind: 'probe' })))
  ).filter(Boolean).length;
const row = async () => (await source.query<object[]>('SELECT *, day::text AS day FROM egress_warmup'))[0];
const putBack = (days: number) => source.query('UPDATE egress_warmup SET day = day - $1::integer', [days]);

const teams = () =>
  source.query<object[]>('SELECT team_id, used, rejected FROM egress_warmup_teams ORDER BY team_id');
const reject = async (team: string, times: number) => {
  const process = aProcess();
  await Promise.all(
    Array.from({ length: times }, () => process.record({ ...google, team, kind: 'rejection' })),
  );
};

it('four processes at once never take more than the ceiling of the day, nor one team the part of another', async () => {
  const taken = await Promise.all(Array.from({ length: 4 }, () => takeMany(60)));
  const first = taken.reduce((sum, count) => sum + count, 0);
  expect(first).toBeGreaterThanOrEqual(50);
  const second = await takeMany(60, aProcess(), 'team_2');
  expect(second).toBeGreaterThanOrEqual(Math.floor((100 - first) / 2));
  expect(first + second).toBeLessThanOrEqual(100);
  expect(await teams()).toEqual([
    { team_id: 'team_1', used: first, rejected: 0 },
    ...(second === 0 ? [] : [{ team_id: 'team_2', used: second, rejected: 0 }]),
  ]);
  const today = new Date().toISOString().slice(0, 10);
  expect(await row()).toMatchObject({ day: today, ceiling: 100, used: first + second });
});

it('probes that were not sent are returned to the team and to the ceiling', async () => {
  const before = await row();
  await takeMany(1, aProcess(), 'team_3');
  await aProcess().record({ ...google, team: 'team_3', kind: 'return' });
  await aProcess().record({ ...google, team: 'team_3', kind: 'return' });
  expect(await row()).toEqual(before);
});

it('rejections lower the ceiling of the next day by one vote a team, so that one team alone cannot', async () => {
  await putBack(3);
  await source.query('UPDATE egress_warmup SET used = 100');
  await source.query('DELETE FROM egress_warmup_teams');
  const used = [await takeMany(40, aProcess(), 'team_1'), await takeMany(60, aProcess(), 'team_2')];
  expect(await row()).toMatchObject({ ceiling: 200, used: used[0]! + used[1]! });
  await reject('team_1', 40);
  await putBack(1);
  await source.query('UPDATE egress_warmup SET used = 100');
  const third = [await takeMany(40, aProcess(), 'team_1'), await takeMany(40, aProcess(), 'team_2')];
  expect(third).toEqual([40, 40]);
  expect(await row()).toMatchObject({ ceiling: 400 });
  await reject('team_1', 40);
  await reject('team_2', 5);
  await putBack(1);
  await takeMany(1);
  expect(await row()).toMatchObject({ ceiling: 200 });
});

it('counters of an egress or a team that are not used any more are deleted, which frees no probes', async () => {
  await takeMany(3, aProcess(), 'team_2');
  expect(await aStore().deleteUnused()).toBe(0);
  const before = await row();
  expect(await aStore().deleteByTeam('team_2')).toBe(1);
  expect(await row()).toEqual(before);
  expect(await teams()).toMatchObject([{ team_id: 'team_1' }]);
  await putBack(61);
  expect(await aStore().deleteUnused()).toBe(2);
  expect(await row()).toBeUndefined();
  expect(await teams()).toEqual([]);
});
