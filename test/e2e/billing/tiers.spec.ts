import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { ConfigError } from '../../../src/platform/config/config.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { expectProblem } from '../../support/http/problems.js';

const NO_ADDRESS = '/v1/verify?email=no-address';

const ROW = {
  per_day: 100,
  rate: { per_second: 2, burst: 10 },
  verify: true,
  refresh: false,
  bulk_limit: 0,
  retention_days: 7,
};
/** Every value differs from the built-in table. */
const TABLE = {
  suspended: { ...ROW, per_day: 0, rate: { per_second: 1, burst: 2 }, verify: false },
  free: { ...ROW, per_day: 3, rate: { per_second: 0.5, burst: 4 }, verify: false },
  gold: { ...ROW, per_day: 7, rate: null, refresh: true },
  unlimited: { ...ROW, per_day: null, rate: { per_second: 10, burst: 30 }, refresh: true, bulk_limit: 50 },
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rcpt-tiers-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function aTiersFile(table: object): Promise<{ TIERS_FILE: string }> {
  const path = join(folder, 'tiers.json');
  await writeFile(path, JSON.stringify(table));
  return { TIERS_FILE: path };
}

describe('a tier of the built-in table', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await anApp();
  });
  afterAll(() => app.stop());

  /** The statuses of verify and refresh, under a live key. */
  it.each([
    ['suspended', 402, 402],
    ['free', 200, 402],
    ['starter', 200, 200],
    ['growth', 200, 200],
    ['scale', 200, 200],
    ['unlimited', 200, 200],
  ])('%s includes exactly the documented features', async (tier, verify, refresh) => {
    const { liveKey, testKey } = await app.anAccount(tier);
    const statusOf = async (more: string, key: string) => (await app.get(NO_ADDRESS + more, key)).status;
    expect([await statusOf('', liveKey), await statusOf('&refresh=1', liveKey)]).toEqual([verify, refresh]);
    expect([await statusOf('', testKey), await statusOf('&refresh=1', testKey)]).toEqual([200, 200]);
  });

  it('without a feature names the lowest one that has it', async () => {
    const suspended = await app.anAccount('suspended');
    const refused = await app.get(`${NO_ADDRESS}&refresh=1`, suspended.liveKey);
    expect(expectProblem(refused, 402, 'upgrade_required')).toMatchObject({
      tier: 'suspended',
      required_tier: 'free',
      feature: 'verify',
    });
    const free = await app.anAccount('free');
    const again = await app.get(`${NO_ADDRESS}&refresh=1`, free.liveKey);
    expect(expectProblem(again, 402, 'upgrade_required')).toMatchObject({
      tier: 'free',
      required_tier: 'starter',
      feature: 'refresh',
    });
  });

  it('that does not exist cannot be assigned', async () => {
    await expect(app.anAccount('gold')).rejects.toThrow(
      'No tier is named gold; there are suspended, free, starter, growth, scale, unlimited.',
    );
  });
});

describe('a custom table', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await anApp(await aTiersFile(TABLE));
  });
  afterAll(() => app.stop());

  it('replaces the built-in one completely', async () => {
    await expect(app.anAccount('starter')).rejects.toThrow('No tier is named starter');
    const free = await app.anAccount('free');
    const refused = await app.get(NO_ADDRESS, free.liveKey);
    expect(expectProblem(refused, 402, 'upgrade_required')).toMatchObject({
      tier: 'free',
      required_tier: 'gold',
      feature: 'verify',
    });
    expect(refused.headers['ratelimit-policy']).toBe('"burst";q=4;w=8, "daily";q=3;w=86400');
  });

  it('names each limit only where the tier has it', async () => {
    const policyOf = async (tier: string) =>
      (await app.get(NO_ADDRESS, (await app.anAccount(tier)).liveKey)).headers['ratelimit-policy'];
    expect(await policyOf('gold')).toBe('"daily";q=7;w=86400');
    expect(await policyOf('unlimited')).toBe('"burst";q=30;w=3');
  });

  it('defines the rank of tiers by its order', async () => {
    const { liveKey, team } = await app.anAccount('free');
    const hold = (base: string, subscription: string | null) =>
      app.service.app
        .get(DataSource)
        .query('UPDATE teams SET base_tier = $2, subscription_tier = $3 WHERE id = $1', [
          team.id,
          base,
          subscription,
        ]);
    const policy = async () => {
      app.clock.advance(5_000);
      return (await app.get(NO_ADDRESS, liveKey)).headers['ratelimit-policy'];
    };
    await hold('free', 'gold');
    expect(await policy()).toBe('"daily";q=7;w=86400');
    await hold('unlimited', 'gold');
    expect(await policy()).toBe('"burst";q=30;w=3');
    await hold('suspended', 'gold');
    expect(await policy()).toContain('"burst";q=2');
  });
});

describe('the start', () => {
  const refusalOf = async (env: Record<string, string>): Promise<string> => {
    const error: unknown = await anApp(env).then(
      (app) => app.stop().then(() => null),
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(ConfigError);
    return (error as ConfigError).message;
  };

  it('fails for an incomplete table, with the reason', async () => {
    const { gold, free } = TABLE;
    expect(await refusalOf(await aTiersFile({ free, gold: { ...gold, verify: 'yes' } }))).toContain(
      'tiers.json: gold.verify must be true or false',
    );
    const refusal = await refusalOf(await aTiersFile({ free, gold }));
    expect(refusal).toContain('must have a tier named suspended');
    expect(refusal).toContain('must have a tier named unlimited');
  });

  it('fails when teams have a missing tier, by base or by subscription, with their number', async () => {
    const app = await anApp(await aTiersFile(TABLE));
    try {
      for (const tier of ['gold', 'gold', 'free']) await app.anAccount(tier);
      const { team } = await app.anAccount('free');
      await app.service.app
        .get(DataSource)
        .query('UPDATE teams SET subscription_tier = $2 WHERE id = $1', [team.id, 'platinum']);
      const { suspended, free, unlimited } = TABLE;
      const smaller = await aTiersFile({ suspended, free, unlimited });
      const refusal = await refusalOf({ ...app.shared, ...smaller });
      expect(refusal).toMatch(
        /no tier named gold, but 2 teams have it[^]*no tier named platinum, but 1 team has it/,
      );
    } finally {
      await app.stop();
    }
  });

  it('succeeds for a table with all tiers in use', async () => {
    const table = await aTiersFile(TABLE);
    const app = await anApp(table);
    await app.anAccount('gold');
    const second = await anApp({ ...app.shared, ...table });
    await second.stop();
    await app.stop();
  });
});
