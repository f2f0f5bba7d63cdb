import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DailyQuotaExceeded } from '../../../src/modules/identity/usage/usage.service.js';
import { aQuotaDatabase, dayAfter, type QuotaDatabase } from '../../support/usage/quota-database.js';
import { AdjustableClock } from '../../support/time/adjustable-clock.js';
import { aCaller, aPage, FREE, PAID, usageOn, type UsageParts } from '../../support/usage/usage-parts.js';

const LIMITS = { small: 100, large: 10_000, unlimited: null };
const DAY_MS = 86_400_000;

/** How calls of one process are charged. */
describe('a call', () => {
  let database: QuotaDatabase;
  let clock: AdjustableClock;
  let parts: UsageParts;
  const caller = aCaller('large');

  beforeAll(async () => {
    database = await aQuotaDatabase();
  });
  beforeEach(async () => {
    await database.clear();
    await database.setToday(database.today);
    clock = new AdjustableClock();
    parts = await usageOn(database.url, LIMITS, clock);
  });
  afterEach(() => parts.close());
  afterAll(() => database.drop());

  const call = (who = caller, answered = PAID) => parts.usage.charge(who, [answered]);
  const calls = (count: number, who = caller) => Promise.all(Array.from({ length: count }, () => call(who)));
  const today = async () => (await database.days()).at(-1);

  it.each(['large', 'unlimited'])('is charged before it is answered (tier %s)', async (tier) => {
    for (let used = 1; used <= 3; used++) {
      await call(aCaller(tier));
      expect(await today()).toMatchObject({ used, reserved: 0 });
    }
    await call(aCaller(tier), FREE);
    expect(await today()).toMatchObject({ used: 3, reserved: 0 });
    expect(await database.counts()).toMatchObject([{ account: 'usr_1', single: 4, free: 1, unknown: 1 }]);
  });

  it('shares a transaction with all calls that end while the previous one runs', async () => {
    const before = parts.queryCount();
    await calls(400);
    expect(parts.queryCount() - before).toBe(2);
    expect(await today()).toMatchObject({ used: 400, reserved: 0 });
  });

  it('is counted for its own account, also in a shared transaction', async () => {
    const colleague = aCaller('large', { userId: 'usr_2' });
    await Promise.all([call(), call(), call(colleague), call(colleague, FREE), call()]);
    expect(await database.counts()).toMatchObject([
      { account: 'usr_1', single: 3, free: 0 },
      { account: 'usr_2', single: 2, free: 1 },
    ]);
  });

  it('is charged independently of other units of work', async () => {
    let others: Promise<unknown> = Promise.resolve();
    const undone = parts.work.run(async () => {
      const own = call();
      others = calls(3);
      await own;
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await others;
    expect(await today()).toMatchObject({ used: 4, reserved: 0 });
  });

  it('fails with all calls of its transaction when the commit fails, and none is counted', async () => {
    await database.query('ALTER TABLE usage_days RENAME TO usage_days_away');
    const failed = await Promise.allSettled(Array.from({ length: 5 }, () => call()));
    await database.query('ALTER TABLE usage_days_away RENAME TO usage_days');
    expect(new Set(failed.map(({ status }) => status))).toEqual(new Set(['rejected']));
    expect(await database.days()).toEqual([]);
    await call();
    expect(await today()).toMatchObject({ used: 1, reserved: 0 });
  });

  it('is refused before it starts if the process has read that no quota is left', async () => {
    const small = aCaller('small');
    await calls(100, small);
    const before = parts.queryCount();
    await expect((async () => parts.usage.requireSome(small))()).rejects.toThrow(DailyQuotaExceeded);
    expect(await parts.usage.load(small)).toMatchObject({ limit: 100, remaining: 0 });
    expect(parts.queryCount()).toBe(before);
  });

  describe('with a publishable key', () => {
    const page = aPage('small');
    const small = aCaller('small');
    const accepted = async (all: Promise<unknown>[]) =>
      (await Promise.allSettled(all)).filter(({ status }) => status === 'fulfilled').length;

    it('uses at most half of the quota, also together with calls of secret keys', async () => {
      const pages = Array.from({ length: 80 }, () => call(page));
      const programs = Array.from({ length: 40 }, () => call(small));
      expect([await accepted(pages), await accepted(programs)]).toEqual([50, 40]);
      await expect(call(page)).rejects.toThrow('Publishable keys have used up their half');
      await call(page, FREE);
      expect(await today()).toMatchObject({ used: 90 });
      expect(() => parts.usage.requireSome(page)).toThrow('Publishable keys have used up their half');
      expect(parts.usage.remaining(page)).toMatchObject({ remaining: 0 });
      expect(parts.usage.remaining(small)).toMatchObject({ remaining: 10 });
      expect(await accepted(Array.from({ length: 20 }, () => call(small)))).toBe(10);
      await expect(call(page)).rejects.toThrow('The daily quota is used up');
    });

    it('is refused when secret keys have used up the quota', async () => {
      await calls(95, small);
      expect(await accepted(Array.from({ length: 20 }, () => call(page)))).toBe(5);
    });

    it('gives what it reserved and did not use back to the half', async () => {
      const charges = await Promise.all(Array.from({ length: 50 }, () => parts.usage.reserve(page, 1)));
      await expect(parts.usage.reserve(page, 1)).rejects.toThrow(DailyQuotaExceeded);
      for (const [n, charge] of charges.entries())
        await parts.usage.chargeReserved(charge, n < 20 ? [PAID] : [FREE]);
      expect(await database.query('SELECT used, reserved, publishable FROM quota_days')).toEqual([
        { used: 20, reserved: 0, publishable: 20 },
      ]);
    });

    it('has no limit of its own where the tier has none', async () => {
      await calls(3, aPage('unlimited'));
      expect(await today()).toMatchObject({ used: 3 });
    });
  });

  it('sees the usage of other processes within 4 s', async () => {
    const other = await usageOn(database.url, LIMITS);
    await call();
    await other.usage.charge(caller, [PAID]);
    expect(await parts.usage.load(caller)).toMatchObject({ remaining: 9_999 });
    clock.advance(4_000);
    expect(await parts.usage.load(caller)).toMatchObject({ remaining: 9_998 });
    await other.close();
  });

  describe('at midnight', () => {
    const turnTheDay = async () => {
      await database.setToday(dayAfter(database.today));
      clock.advance(DAY_MS);
    };

    it('counts on the day it is answered, and a job on the day it was submitted', async () => {
      await call();
      const charge = await parts.usage.reserve(caller, 5);
      await turnTheDay();
      await parts.usage.chargeReserved(charge, [PAID, FREE]);
      await call();
      expect(await database.days()).toEqual([
        { day: database.today, used: 2, reserved: 0 },
        { day: dayAfter(database.today), used: 1, reserved: 0 },
      ]);
    });

    it('has the full quota again', async () => {
      const small = aCaller('small');
      await calls(100, small);
      await expect((async () => parts.usage.requireSome(small))()).rejects.toThrow('is used up');
      await turnTheDay();
      expect(await parts.usage.load(small)).toMatchObject({ limit: 100, remaining: 100 });
      parts.usage.requireSome(small);
      await call(small);
    });

    it('reports the end of the database’s day', async () => {
      const resetsInSeconds = (await parts.usage.load(caller))?.resetsInSeconds ?? NaN;
      const [row] = await database.query<{ left: number }>(
        `SELECT extract(epoch FROM ((rcpt_today() + 1)::timestamp AT TIME ZONE 'UTC') - now())::float8 AS left`,
      );
      expect(Math.abs(resetsInSeconds - (row?.left ?? 0))).toBeLessThan(2);
    });
  });
});
