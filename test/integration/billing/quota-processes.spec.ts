import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DailyQuotaExceeded } from '../../../src/modules/usage/usage.service.js';
import { aQuotaDatabase, type QuotaDatabase } from '../../support/usage/quota-database.js';
import { QuotaProcess } from '../../support/usage/quota-process.js';
import { aCaller, PAID, usageOn } from '../../support/usage/usage-parts.js';

/** Real processes on one database, 32 callers each. */
describe('the quota across processes', () => {
  let database: QuotaDatabase;
  const processes: QuotaProcess[] = [];

  beforeAll(async () => {
    database = await aQuotaDatabase();
  });
  beforeEach(() => database.clear());
  afterEach(async () => {
    await Promise.all(processes.splice(0).map((process) => process.kill()));
  });
  afterAll(() => database.drop());

  const start = async (order: { limit: number; clients: number; calls?: number; page?: boolean }) => {
    const process = await QuotaProcess.start({ url: database.url, ...order });
    processes.push(process);
    return process;
  };

  it.each([300, 2_000])(
    'accepts exactly %i, and never more are used or reserved',
    async (limit) => {
      const both = await Promise.all([start({ limit, clients: 32 }), start({ limit, clients: 32 })]);
      let running = true;
      let most = 0;
      let samples = 0;
      const sampling = (async () => {
        while (running) {
          for (const { used, reserved } of await database.days()) most = Math.max(most, used + reserved);
          samples++;
        }
      })();
      for (const process of both) process.begin();
      const accepted = await Promise.all(both.map((process) => process.accepted()));
      await Promise.all(both.map((process) => process.exit()));
      running = false;
      await sampling;
      expect(accepted.reduce((sum, count) => sum + count)).toBe(limit);
      expect(await database.days()).toMatchObject([{ used: limit, reserved: 0 }]);
      expect(await database.counts()).toMatchObject([{ single: limit, free: 0 }]);
      expect(samples).toBeGreaterThan(20);
      expect(most).toBeLessThanOrEqual(limit);
    },
    60_000,
  );

  it('gives publishable keys exactly half, and secret keys the rest', async () => {
    const limit = 401;
    const order = { limit, clients: 32 };
    const pages = await Promise.all([start({ ...order, page: true }), start({ ...order, page: true })]);
    for (const process of pages) process.begin();
    const byPages = await Promise.all(pages.map((process) => process.accepted()));
    expect(byPages.reduce((sum, count) => sum + count)).toBe(200);
    const program = await start(order);
    program.begin();
    expect(await program.accepted()).toBe(201);
    expect(await database.days()).toMatchObject([{ used: limit, reserved: 0 }]);
    expect(await database.query('SELECT publishable FROM quota_days')).toEqual([{ publishable: 200 }]);
  }, 60_000);

  it('is not blocked by a killed process: its granted units are used, and the rest is available', async () => {
    const limit = 1_000;
    const doomed = await start({ limit, clients: 4, calls: 200 });
    doomed.begin();
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
