import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Charge } from '../../../src/kernel/charge.js';
import {
  DailyQuotaExceeded,
  type ChargeableVerdict,
} from '../../../src/modules/identity/usage/usage.service.js';
import { aQuotaDatabase, type QuotaDatabase } from '../../support/usage/quota-database.js';
import { aCaller, FREE, PAID, usageOn, type UsageParts } from '../../support/usage/usage-parts.js';

const LIMITS = { none: 0, small: 10, large: 5_000, greatest: 2_000_000_000, unlimited: null };

describe('the quota', () => {
  let database: QuotaDatabase;
  let parts: UsageParts;
  const caller = aCaller('small');

  beforeAll(async () => {
    database = await aQuotaDatabase();
  });
  beforeEach(async () => {
    await database.clear();
    parts = await usageOn(database.url, LIMITS);
  });
  afterEach(() => parts.close());
  afterAll(() => database.drop());

  const call = (answered = PAID, who = caller) => parts.usage.charge(who, [answered]);
  const calls = (count: number, who = caller) =>
    Promise.all(Array.from({ length: count }, () => call(PAID, who)));
  const refusal = (charge: Promise<unknown>) => expect(charge).rejects.toThrow(DailyQuotaExceeded);
  const today = async () => (await database.days()).at(-1);

  it('refuses the first request of a day above the limit', async () => {
    await refusal(parts.usage.charge(caller, new Array<ChargeableVerdict>(11).fill(PAID)));
    await refusal(parts.usage.reserve(caller, 11));
    expect(await database.days()).toEqual([]);
  });

  it('grants the first request of a day for exactly the limit', async () => {
    await parts.usage.reserve(caller, 10);
    expect(await today()).toMatchObject({ used: 0, reserved: 10 });
    await refusal(call());
  });

  it('does not remember a reservation that was rolled back', async () => {
    await parts.usage.load(caller);
    const unit = parts.work.run(async () => {
      await parts.usage.reserve(caller, 4);
      throw new Error('no');
    });
    await expect(unit).rejects.toThrow('no');
    expect(parts.usage.remaining(caller)?.remaining).toBe(10);
  });

  it('grants exactly the limit under concurrency', async () => {
    const asked = await Promise.allSettled(Array.from({ length: 50 }, () => call()));
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    expect(await today()).toMatchObject({ used: 10, reserved: 0 });
    expect(await database.counts()).toMatchObject([{ single: 10 }]);
  });

  it('counts calls at the same time for the team of each', async () => {
    await Promise.all([calls(3), calls(4, aCaller('small', { teamId: 'team_2' }))]);
    expect(await database.counts()).toMatchObject([
      { team_id: 'team_1', single: 3 },
      { team_id: 'team_2', single: 4 },
    ]);
  });

  it('answers and counts free addresses when nothing is left', async () => {
    await calls(10);
    await Promise.all([call(FREE), refusal(call()), call(FREE), refusal(call())]);
    await call(FREE, aCaller('none'));
    expect(await today()).toMatchObject({ used: 10, reserved: 0 });
    expect(await database.counts()).toMatchObject([{ single: 13, free: 3 }]);
  });

  it('grants nothing with a limit of zero', async () => {
    await refusal(call(PAID, aCaller('none')));
    await refusal((async () => parts.usage.requireSome(aCaller('none')))());
    expect(await database.events()).toEqual([]);
  });

  it('refuses without an error above the greatest limit of TIERS_FILE', async () => {
    const greatest = aCaller('greatest');
    for (let n = 0; n < 20; n++) await parts.usage.reserve(greatest, 100_000_000);
    await refusal(parts.usage.reserve(greatest, 100_000_000));
    await refusal(parts.usage.reserve(greatest, 1));
  });

  it('reports when it resets, and the remaining units', async () => {
    await calls(4);
    const error = await parts.usage
      .reserve(caller, 7)
      .catch((thrown: unknown) => thrown as DailyQuotaExceeded);
    expect(error).toMatchObject({ definition: { code: 'daily_quota_exceeded' } });
    expect((error as DailyQuotaExceeded).message).toContain('more units than the 6 that are left');
    expect((error as DailyQuotaExceeded).retryAfter).toBeGreaterThanOrEqual(1);
    expect((error as DailyQuotaExceeded).retryAfter).toBeLessThanOrEqual(86_400);
  });

  it('releases free units at once for other processes', async () => {
    const other = await usageOn(database.url, LIMITS);
    const [one, rest] = [await parts.usage.reserve(caller, 1), await parts.usage.reserve(caller, 9)];
    await refusal(other.usage.charge(caller, [PAID]));
    await parts.usage.chargeReserved(one, [FREE]);
    await parts.usage.release({ ...rest, units: 1 });
    await other.usage.charge(caller, [PAID]);
    await other.usage.charge(caller, [PAID]);
    await refusal(other.usage.charge(caller, [PAID]));
    await other.close();
  });

  it('never charges more than was reserved', async () => {
    const charge = await parts.usage.reserve(caller, 1);
    await expect(parts.usage.chargeReserved(charge, [PAID, PAID])).rejects.toThrow(RangeError);
  });

  it('charges a job with its unit of work, or not at all', async () => {
    const undone = parts.work.run(async () => {
      await parts.usage.reserve(caller, 6);
      throw new Error('no');
    });
    await expect(undone).rejects.toThrow('no');
    expect(await database.days()).toEqual([]);
    await parts.work.run(() => parts.usage.reserve(caller, 6));
    expect(await today()).toMatchObject({ reserved: 6 });
  });

  it('charges a job in parts by another process; duplicates are counted and free', async () => {
    const charge = JSON.parse(JSON.stringify(await parts.usage.reserve(caller, 6))) as Charge;
    const other = await usageOn(database.url, LIMITS);
    const paid = { ...PAID, kind: 'bulk' as const };
    const duplicate = { ...paid, free: true };
    await other.usage.chargeReserved({ ...charge, units: 4 }, [
      paid,
      paid,
      paid,
      duplicate,
      { ...FREE, kind: 'bulk' },
    ]);
    expect(await today()).toMatchObject({ used: 3, reserved: 2 });
    await other.usage.release({ ...charge, units: 2 });
    expect(await today()).toMatchObject({ used: 3, reserved: 0 });
    expect(await database.counts()).toMatchObject([
      { single: 0, bulk: 5, free: 2, deliverable: 4, unknown: 1 },
    ]);
    await other.close();
  });

  it('does not reserve units for single calls', async () => {
    const busy = aCaller('large');
    await calls(100, busy);
    expect(await today()).toMatchObject({ used: 100, reserved: 0 });
    await parts.usage.reserve(busy, 4_900);
    expect(await today()).toMatchObject({ used: 100, reserved: 4_900 });
  });

  it('uses the current tier, and the remaining units are never negative', async () => {
    const large = aCaller('large');
    await calls(40, large);
    await refusal(call());
    expect(await parts.usage.load(caller)).toMatchObject({ limit: 10, remaining: 0 });
    expect(await parts.usage.today('team_1', 'small')).toMatchObject({ used: 40, reserved: 0, remaining: 0 });
    await parts.usage.reserve(large, 1);
    expect(await parts.usage.today('team_1', 'large')).toMatchObject({ reserved: 1, remaining: 4_959 });
  });

  it('does not limit a tier without a quota, but counts it', async () => {
    const unlimited = aCaller('unlimited');
    await parts.usage.charge(unlimited, [PAID]);
    await parts.usage.chargeReserved(await parts.usage.reserve(unlimited, 2_000), [
      { ...FREE, kind: 'bulk' },
      PAID,
    ]);
    expect(await parts.usage.today('team_1', 'unlimited')).toMatchObject({
      limit: null,
      remaining: null,
      used: 2,
      reserved: 0,
      counts: { single: 2, bulk: 1, free: 1 },
    });
    expect(await parts.usage.load(unlimited)).toBeNull();
  });

  it('ignores test keys', async () => {
    const test = aCaller('small', { mode: 'test' });
    await parts.usage.charge(test, [PAID]);
    await parts.usage.chargeReserved(await parts.usage.reserve(test, 500), [{ ...PAID, kind: 'bulk' }]);
    await parts.usage.release(await parts.usage.reserve(test, 1));
    expect([await database.days(), await database.counts()]).toEqual([[], []]);
  });

  it('publishes 80 % and 100 % once per day', async () => {
    const use = async (units: number) => {
      await calls(units);
      return (await database.events()).map(({ type, data }) => [type, data]);
    };
    const { today: date } = database;
    expect(await use(7)).toEqual([]);
    const warning = ['quota.warning', { mode: 'live', date, limit: 10, used: 8 }];
    expect(await use(1)).toEqual([warning]);
    expect(await use(1)).toEqual([warning]);
    const exceeded = ['quota.exceeded', { mode: 'live', date, limit: 10, used: 10 }];
    expect(await use(1)).toEqual([warning, exceeded]);
    await refusal(call());
    expect(await database.events()).toHaveLength(2);
  });

  it('keeps a charge whose event could not be stored, and publishes it with the next one', async () => {
    await database.query('ALTER TABLE outbox RENAME TO absent_outbox');
    try {
      await calls(8);
    } finally {
      await database.query('ALTER TABLE absent_outbox RENAME TO outbox');
    }
    expect([(await database.days()).at(-1), await database.events()]).toMatchObject([{ used: 8 }, []]);
    await call();
    expect(await database.events()).toMatchObject([{ type: 'quota.warning', data: { used: 9 } }]);
  });

  it('keeps the daily history per account and team, newest first, with days without usage', async () => {
    const service = aCaller('small', { userId: null, keyId: 'key_service' });
    await call();
    await call(FREE, service);
    await call(PAID, aCaller('small', { teamId: 'team_2' }));
    await database.query(`UPDATE usage_days SET day = day - 2 WHERE account = 'key_service'`);
    const singles = async (history: Promise<{ single: number }[]>) =>
      (await history).map(({ single }) => single);
    const { usage } = parts;
    expect(await singles(usage.accountHistory(caller, 4))).toEqual([1, 0, 0, 0]);
    expect(await singles(usage.accountHistory(service, 4))).toEqual([0, 0, 1, 0]);
    expect(await singles(usage.teamHistory('team_1', 4))).toEqual([1, 0, 1, 0]);
    const [first] = await usage.teamHistory('team_1', 365);
    expect(first).toMatchObject({ date: database.today, single: 1, bulk: 0, free: 0, deliverable: 1 });
    expect(await usage.teamHistory('team_1', 365)).toHaveLength(365);
  });
});
