import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type {
  DailyUsageResponse,
  UsageTodayResponse,
} from '../../../src/modules/identity/usage/usage.dto.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { aBulkJob, jobOf, upkeepOf, workOn } from '../../support/app/bulk.js';
import { rowsOf } from '../../support/app/joins.js';
import { expectProblem } from '../../support/http/problems.js';
import { aFixedTimeDatabase, type FixedTimeDatabase } from '../../support/database/fixed-time-database.js';

/**
 * The last microsecond of a day, and the first of the next: new year, a leap day, the start of summer
 * time.
 */
const NIGHTS = [
  ['2031-12-31', '2032-01-01'],
  ['2032-02-29', '2032-03-01'],
  ['2032-03-27', '2032-03-28'],
] as const;
const lastOf = (day: string) => `${day}T23:59:59.999999Z`;
const firstOf = (day: string) => `${day}T00:00:00.000000Z`;
const DAY_MS = 86_400_000;

let database: FixedTimeDatabase;
let app: TestApp;
beforeAll(async () => {
  database = await aFixedTimeDatabase(lastOf(NIGHTS[0][0]));
  app = await anApp({ DATABASE_URL: database.url });
});
afterAll(async () => {
  await app.stop();
  await database.drop();
});

/** Sets the time of database and service, and clears the cached quota of the previous day. */
async function turnTo(moment: string, passedMs = DAY_MS): Promise<void> {
  await database.standAt(moment);
  app.clock.standAt(moment);
  app.clock.advance(passedMs);
}

const verify = (key: string) => app.get('/v1/verify?email=no-address', key);
const submit = (key: string) => app.post('/v1/verify/bulk', key).send({ emails: ['no address'] });
const today = async (key: string) => (await app.get('/v1/usage', key)).body as UsageTodayResponse;
const history = async (key: string) =>
  ((await app.get('/v1/team/history?days=3', key)).body as DailyUsageResponse).data;
const daily = (answer: { headers: Record<string, string> }) =>
  /"daily";r=(-?\d+);t=(-?\d+)/
    .exec(answer.headers.ratelimit ?? '')
    ?.slice(1)
    .map(Number);

describe.each(NIGHTS)('at midnight UTC after %s', (day, next) => {
  it.each(['free', 'growth', 'unlimited'])(
    'every call of a team that is %s counts once, on the day it was answered',
    async (tier) => {
      const { liveKey } = await app.anAccount(tier);
      await turnTo(lastOf(day));
      const before = await Promise.all(Array.from({ length: 7 }, () => verify(liveKey)));
      await turnTo(firstOf(next));
      const after = await Promise.all(Array.from({ length: 3 }, () => verify(liveKey)));
      expect(new Set([...before, ...after].map(({ status }) => status))).toEqual(new Set([200]));
      expect((await history(liveKey)).map(({ date, total, free }) => [date, total, free])).toEqual([
        [next, 3, 0],
        [day, 7, 0],
        [expect.any(String), 0, 0],
      ]);
      const { date, quota } = await today(liveKey);
      expect([date, quota.used, quota.reserved]).toEqual([next, 3, 0]);
    },
  );

  it('a used-up quota reports "in a second" until the end of the day, and is available right after', async () => {
    const { liveKey, team } = await app.anAccount('free');
    await turnTo(lastOf(day));
    await rowsOf(app, 'INSERT INTO quota_days (team_id, day, used) VALUES ($1, $2, 99)', [team.id, day]);
    const last = await verify(liveKey);
    expect([last.status, daily(last)]).toEqual([200, [0, 1]]);
    const refused = await verify(liveKey);
    expectProblem(refused, 429, 'daily_quota_exceeded');
    expect([refused.headers['retry-after'], daily(refused)]).toEqual(['1', [0, 1]]);
    expect((await today(liveKey)).quota.resets_at).toBe(`${next}T00:00:00.000Z`);
    await turnTo(firstOf(next), 1);
    const first = await verify(liveKey);
    expect([first.status, daily(first)]).toEqual([200, [99, 86_400]]);
  });

  it('a list is charged on the day it was submitted, whenever it completes', async () => {
    const { liveKey, team } = await app.anAccount('starter');
    await turnTo(lastOf(day));
    const { id } = await aBulkJob(app, liveKey, ['no address', 'none either', 'jane@nowhere.rcpt-test.net']);
    await turnTo(firstOf(next));
    expect(await today(liveKey)).toMatchObject({ date: next, quota: { used: 0, reserved: 0 } });
    const later = await aBulkJob(app, liveKey, ['no address']);
    await workOn(app);
    expect((await jobOf(app, liveKey, id)).usage).toEqual({ reserved: 3, charged: 2, returned: 1 });
    expect((await jobOf(app, liveKey, later.id)).usage).toEqual({ reserved: 1, charged: 1, returned: 0 });
    expect((await history(liveKey)).slice(0, 2)).toMatchObject([
      { date: next, bulk: 1, free: 0 },
      { date: day, bulk: 3, free: 1 },
    ]);
    const days = 'SELECT day::text, used, reserved FROM quota_days WHERE team_id = $1 ORDER BY day';
    expect(await rowsOf(app, days, [team.id])).toEqual([
      { day, used: 2, reserved: 0 },
      { day: next, used: 1, reserved: 0 },
    ]);
  });

  it('results are kept until the announced second, and deleted then', async () => {
    const { liveKey } = await app.anAccount('starter');
    await turnTo(lastOf(day));
    const { id } = await aBulkJob(app, liveKey, ['no address']);
    await workOn(app);
    const expiresAt = Date.parse((await jobOf(app, liveKey, id)).expires_at ?? '');
    expect(expiresAt).toBe(Date.parse(lastOf(day)) + 14 * DAY_MS);
    const erasedAt = async (ms: number) => {
      app.clock.standAt(new Date(ms).toISOString());
      await upkeepOf(app).deleteDue();
      return (await rowsOf(app, 'SELECT FROM bulk_jobs WHERE id = $1', [id])).length === 0;
    };
    expect([await erasedAt(expiresAt - 1), await erasedAt(expiresAt)]).toEqual([false, true]);
  });

  it('an invite is valid until the announced second', async () => {
    const owner = await app.anAccount();
    const guest = await app.anAccount();
    await turnTo(lastOf(day));
    const wish = { email: 'guest@team.example', expires_in_days: 1 };
    const invited = await app.post('/v1/team/invites', owner.liveKey).send(wish);
    const { token, expires_at } = invited.body as { token: string; expires_at: string };
    expect(expires_at).toBe(`${next}T23:59:59.999Z`);
    const accept = () => app.post('/v1/invites/accept', guest.liveKey).send({ token });
    app.clock.standAt(expires_at);
    expectProblem(await accept(), 404, 'invalid_invite');
    app.clock.standAt(new Date(Date.parse(expires_at) - 1).toISOString());
    expect((await accept()).status).toBe(200);
  });
});

it('a test key’s jobs are counted per day, and the last second of it reports one second', async () => {
  const [[day, next]] = NIGHTS;
  const account = await app.anAccount('scale');
  const erase = ({ id }: { id: string }) => app.delete(`/v1/bulk-jobs/${id}`, account.testKey);
  await turnTo(lastOf(day));
  for (let job = 0; job < 20; job++) await erase(await aBulkJob(app, account.testKey, ['a@example.com']));
  const refused = await submit(account.testKey);
  expectProblem(refused, 429, 'daily_quota_exceeded');
  expect(refused.headers['retry-after']).toBe('1');
  await turnTo(firstOf(next));
  expect((await submit(account.testKey)).status).toBe(202);
});
