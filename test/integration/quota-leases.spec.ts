import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { dayAfter, aQuotaDatabase, type QuotaDatabase } from '../support/quota-database.js';
import { TurnableClock } from '../support/turnable-clock.js';
import { aCaller, FREE, PAID, usageOn, type UsageParts } from '../support/usage-parts.js';

const LIMITS = { small: 100, starter: 1_000, large: 10_000, unlimited: null };
const DAY_MS = 86_400_000;

/** Units that a process holds, so that a charge need not ask the database. */
describe('a lease', () => {
  let database: QuotaDatabase;
  let clock: TurnableClock;
  let parts: UsageParts;
  const caller = aCaller('large');

  beforeAll(async () => {
    database = await aQuotaDatabase();
  });
  beforeEach(async () => {
    await database.clear();
    await database.setToday(database.today);
    clock = new TurnableClock();
    parts = await usageOn(database.url, LIMITS, clock);
  });
  afterEach(() => parts.close());
  afterAll(() => database.drop());

  const call = async (who = caller, answered = PAID) =>
    parts.usage.settle(await parts.usage.reserve(who, 1), [answered]);
  const calls = async (count: number, who = caller) => {
    for (let each = 0; each < count; each++) await call(who);
  };
  const today = async () => (await database.days()).at(-1);
  const units = async () =>
    (await database.query<{ units: number }>('SELECT units FROM quota_leases ORDER BY units')).map(
      (lease) => lease.units,
    );

  it('lets a team that calls on and on be charged without a round trip', async () => {
    await calls(600);
    const before = parts.asked();
    await calls(300);
    expect(parts.asked()).toBe(before);
    await calls(4_000);
    expect(parts.asked() - before).toBeLessThan(12);
    for (let guard = 0; guard < 100; guard++) await parts.usage.requireSome(caller);
    expect(parts.asked() - before).toBeLessThan(12);
  });

  it('is asked for by one, however many wait for it', async () => {
    await calls(100);
    const before = parts.asked();
    await Promise.all(Array.from({ length: 400 }, () => call()));
    expect(parts.asked() - before).toBeLessThan(6);
  });

  it('takes no round trip from a tier without a limit but the first', async () => {
    await call(aCaller('unlimited'));
    const before = parts.asked();
    await calls(500, aCaller('unlimited'));
    expect(parts.asked()).toBe(before);
    expect(await today()).toMatchObject({ used: 0, reserved: 0 });
    await parts.usage.flush();
    expect(await today()).toMatchObject({ used: 501, reserved: 0 });
  });

  it('is granted only while more than 1,000 units remain', async () => {
    await calls(50, aCaller('starter'));
    await parts.usage.flush();
    expect(await today()).toMatchObject({ used: 50, reserved: 0 });
    const before = parts.asked();
    await calls(50, aCaller('starter'));
    expect(parts.asked() - before).toBe(50);
  });

  it('counts as reserved, and one flush tells all that came of it', async () => {
    await calls(100);
    await call(caller, FREE);
    const held = await today();
    expect(held?.used).toBe(0);
    expect(held?.reserved).toBeGreaterThanOrEqual(101);
    await parts.usage.flush();
    expect(await today()).toMatchObject({ used: 100, reserved: (held?.reserved ?? 0) - 100 });
    expect(await database.counts()).toMatchObject([{ account: 'usr_1', single: 101, free: 1, unknown: 1 }]);
  });

  it('gives back what nobody wanted for a while', async () => {
    await calls(100);
    const pending = await parts.usage.reserve(caller, 1);
    await parts.usage.flush();
    expect((await today())?.reserved).toBeGreaterThan(1);
    clock.advance(5_000);
    await parts.usage.flush();
    expect(await today()).toMatchObject({ used: 100, reserved: 1 });
    await parts.usage.settle(pending, [PAID]);
    await parts.usage.flush();
    expect(await today()).toMatchObject({ used: 101, reserved: 0 });
  });

  it('goes back when the process ends', async () => {
    await calls(100);
    await parts.usage.close();
    expect(await today()).toMatchObject({ used: 100, reserved: 0 });
    expect(await units()).toEqual([0]);
  });

  it('is kept alive while something is under way, and closed when its process is silent', async () => {
    const slow = await parts.usage.reserve(caller, 1);
    await database.query(`UPDATE quota_leases SET expires_at = now() + interval '1 second'`);
    clock.advance(20_000);
    await parts.usage.flush();
    const [lease] = await database.query(
      `SELECT expires_at > now() + interval '30 seconds' AS renewed FROM quota_leases`,
    );
    expect(lease).toEqual({ renewed: true });
    expect(await parts.usage.closeExpired()).toBe(0);
    await database.expireLeases();
    expect(await parts.usage.closeExpired()).toBe(1);
    expect(await today()).toMatchObject({ used: 1, reserved: 0 });
    // The process was not dead after all: what it answers now is counted, and paid already.
    await parts.usage.settle(slow, [PAID]);
    await parts.usage.flush();
    expect(await today()).toMatchObject({ used: 1, reserved: 0 });
    expect(await database.counts()).toMatchObject([{ single: 1, deliverable: 1 }]);
    await call();
    await parts.usage.flush();
    expect(await today()).toMatchObject({ used: 2, reserved: 0 });
  });

  it('lost while its process lived still tells what was charged without a limit', async () => {
    const unlimited = aCaller('unlimited');
    const slow = await parts.usage.reserve(unlimited, 1);
    await calls(3, unlimited);
    await database.expireLeases();
    await parts.usage.closeExpired();
    await parts.usage.flush();
    await parts.usage.settle(slow, [PAID]);
    expect(await today()).toMatchObject({ used: 4, reserved: 0 });
    expect(await database.counts()).toMatchObject([{ single: 4 }]);
  });

  it('tells a batch once, although the answer to the first telling was lost', async () => {
    // So many that there would be enough units to take them off twice.
    await calls(200);
    await parts.usage.flush();
    await calls(10);
    const { manager } = parts.dataSource;
    const query = manager.query.bind(manager);
    manager.query = async (...told: Parameters<typeof query>) => {
      await query(...told);
      manager.query = query;
      throw new Error('the connection was lost');
    };
    await expect(parts.usage.flush()).rejects.toThrow('the connection was lost');
    await calls(5);
    await parts.usage.flush();
    await parts.usage.close();
    expect(await today()).toMatchObject({ used: 215, reserved: 0 });
    expect(await database.counts()).toMatchObject([{ single: 215 }]);
  });

  describe('at midnight', () => {
    const turnTheDay = async () => {
      await database.setToday(dayAfter(database.today));
      clock.advance(DAY_MS);
    };

    it('what was charged before is paid and given back on the day it was charged', async () => {
      const charges = [await parts.usage.reserve(caller, 3), await parts.usage.reserveForJob(caller, 5)];
      await turnTheDay();
      for (const charge of charges) await parts.usage.settle(charge, [PAID, FREE]);
      await call();
      await parts.usage.flush();
      expect(await database.days()).toEqual([
        { day: database.today, used: 2, reserved: 0 },
        { day: dayAfter(database.today), used: 1, reserved: 0 },
      ]);
    });

    it('units of the old day go back, and are charged no more', async () => {
      await calls(100);
      await turnTheDay();
      const before = parts.asked();
      const { day } = await parts.usage.reserve(caller, 1);
      expect([day, parts.asked() - before]).toEqual([dayAfter(database.today), 1]);
      await parts.usage.flush();
      expect((await database.days())[0]).toEqual({ day: database.today, used: 100, reserved: 0 });
    });

    it('a limit that was used up is whole again', async () => {
      const small = aCaller('small');
      await calls(100, small);
      await expect((async () => parts.usage.requireSome(small))()).rejects.toThrow('Nothing is left');
      await turnTheDay();
      await parts.usage.requireSome(small);
      expect(await parts.usage.remaining(small)).toMatchObject({ limit: 100, remaining: 100 });
      await call(small);
    });

    it('ends the lease no later than the database’s day', async () => {
      const { resetsInSeconds } = await parts.usage.remaining(caller);
      const [row] = await database.query<{ left: number }>(
        `SELECT extract(epoch FROM ((rcpt_today() + 1)::timestamp AT TIME ZONE 'UTC') - now())::float8 AS left`,
      );
      expect(Math.abs(resetsInSeconds - (row?.left ?? 0))).toBeLessThan(2);
      await calls(20);
      clock.advance(resetsInSeconds * 1000);
      const before = parts.asked();
      await parts.usage.reserve(caller, 1);
      expect(parts.asked()).toBe(before + 1);
    });
  });
});
