import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DailyQuotaExceeded } from '../../../src/modules/identity/usage/usage.service.js';
import { aQuotaDatabase, type QuotaDatabase } from '../../support/usage/quota-database.js';
import { QuotaProcess } from '../../support/usage/quota-process.js';
import { aCaller, PAID, usageOn } from '../../support/usage/usage-parts.js';

/** Real processes on one database, 32 callers each. */
describe('the quota across processes', () => {
  let database: QuotaDatabase;
  /** A start takes more than a second, so that the tests use the same ones. */
  let processes: [QuotaProcess, QuotaProcess];

  beforeAll(async () => {
    database = await aQuotaDatabase();
    processes = await Promise.all([QuotaProcess.start(), QuotaProcess.start()]);
  });
  beforeEach(() => database.clear());
  afterAll(async () => {
    await Promise.all(processes.map((process) => process.kill()));
    await database.drop();
  });

  /** Both connect, then both begin. @returns the sum of the accepted charges. */
  const acceptedByBoth = async (order: { limit: number; clients: number; page?: boolean }) => {
    await Promise.all(processes.map((process) => process.prepare({ url: database.url, ...order })));
    const counts = await Promise.all(processes.map((process) => process.accepted()));
    return counts.reduce((sum, count) => sum + count);
  };

  it.each([300, 2_000])(
    'accepts exactly %i, and never more are used or reserved',
    async (limit) => {
      let running = true;
      let most = 0;
      let samples = 0;
      const sampling = (async () => {
        while (running) {
          // There is a day after the first charge.
          for (const { used, reserved } of await database.days()) {
            most = Math.max(most, used + reserved);
            samples++;
          }
        }
      })();
      const accepted = await acceptedByBoth({ limit, clients: 32 });
      running = false;
      await sampling;
      expect(accepted).toBe(limit);
      expect(await database.days()).toMatchObject([{ used: limit, reserved: 0 }]);
      expect(await database.counts()).toMatchObject([{ single: limit, free: 0 }]);
      expect(samples).toBeGreaterThan(20);
      expect(most).toBeLessThanOrEqual(limit);
    },
    60_000,
  );

  it('gives publishable keys exactly half, and secret keys the rest', async () => {
    const limit = 401;
    expect(await acceptedByBoth({ limit, clients: 32, page: true })).toBe(200);
    expect(await acceptedByBoth({ limit, clients: 32 })).toBe(201);
    expect(await database.days()).toMatchObject([{ used: limit, reserved: 0 }]);
    expect(await database.query('SELECT publishable FROM quota_days')).toEqual([{ publishable: 200 }]);
  }, 60_000);

  // The last one: a process is killed.
  it('is not blocked by a killed process: its granted units are used, and the rest is available', async () => {
    const limit = 1_000;
    const [doomed] = processes;
    await doomed.prepare({ url: database.url, limit, clients: 4, calls: 200 });
    expect(await doomed.accepted()).toBe(800);
    await doomed.kill();
    expect(await database.days()).toMatchObject([{ used: 800, reserved: 0 }]);
    const parts = await usageOn(database.url, { limited: limit });
    const caller = aCaller('limited');
    await Promise.all(Array.from({ length: 200 }, () => parts.usage.charge(caller, [PAID])));
    await expect(parts.usage.charge(caller, [PAID])).rejects.toThrow(DailyQuotaExceeded);
    await parts.close();
  }, 60_000);
});
