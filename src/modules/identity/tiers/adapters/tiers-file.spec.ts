import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '../../../../platform/config/config.js';
import { DEFAULT_TIERS, type Tier } from '../domain/tier.js';
import { readTiersFile } from './tiers-file.js';

/** The tier as a row of the file. */
const rowOf = ({ perDay, rate, verify, refresh, bulkLimit, retentionDays }: Tier) => ({
  per_day: perDay,
  rate: rate && { per_second: rate.perSecond, burst: rate.burst },
  verify,
  refresh,
  bulk_limit: bulkLimit,
  retention_days: retentionDays,
});
const FREE = DEFAULT_TIERS.find(({ name }) => name === 'free') as Tier;
const ROW = rowOf(FREE);
const TABLE = {
  suspended: { ...ROW, per_day: 0, verify: false },
  free: ROW,
  unlimited: { ...ROW, per_day: null, rate: null, refresh: true, bulk_limit: 1_000_000 },
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rcpt-tiers-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function read(content: unknown) {
  const path = join(folder, 'tiers.json');
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return readTiersFile(path);
}

async function refusalOf(content: unknown): Promise<string[]> {
  const error: unknown = await read(content).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ConfigError);
  return (error as ConfigError).message.split('\n').map((line) => {
    expect(line).toMatch(/^TIERS_FILE \S+tiers\.json: /);
    return line.replace(/^TIERS_FILE \S+: /, '');
  });
}

const withFree = (members: object) => ({ ...TABLE, free: { ...ROW, ...members } });

describe('a table of tiers', () => {
  it('is read whole, in the order of the file', async () => {
    const gold = { ...ROW, per_day: 5_000, rate: { per_second: 0.5, burst: 3 }, bulk_limit: 20 };
    const { suspended, free, unlimited } = TABLE;
    const tiers = await read({ suspended, free, gold, unlimited });
    expect(tiers.map(({ name }) => name)).toEqual(['suspended', 'free', 'gold', 'unlimited']);
    expect(tiers[2]).toEqual({
      ...FREE,
      name: 'gold',
      perDay: 5_000,
      rate: { perSecond: 0.5, burst: 3 },
      bulkLimit: 20,
      schedules: true,
    });
    expect(tiers[3]).toMatchObject({ perDay: null, rate: null });
  });

  it('may equal the built-in one', async () => {
    const rows = DEFAULT_TIERS.map((tier) => [tier.name, rowOf(tier)]);
    expect(await read(Object.fromEntries(rows))).toEqual(DEFAULT_TIERS);
  });

  it.each(Object.keys(ROW))('without %s in a row is refused', async (member) => {
    expect(await refusalOf(withFree({ [member]: undefined }))).toEqual([`free.${member} is missing`]);
  });

  it.each([
    ['per_day', [-1, 2_000_000_001, '1']],
    ['verify', ['yes', null]],
    ['refresh', ['yes', null]],
    ['bulk_limit', [-1, 100_000_001, '1']],
    ['retention_days', [-1, 3_651, '1']],
  ])('with a %s outside its bounds is refused', async (member, values) => {
    for (const value of values)
      expect(await refusalOf(withFree({ [member]: value }))).toEqual([
        expect.stringMatching(`^free\\.${member} must be `),
      ]);
  });

  it.each(['suspended', 'free', 'unlimited'])('without the tier %s is refused', async (name) => {
    expect(await refusalOf({ ...TABLE, [name]: undefined })).toEqual([`must have a tier named ${name}`]);
  });

  it.each([
    [{ per_day: '100' }, 'free.per_day must be a whole number from 0 to 2000000000, or null for no limit'],
    [{ per_day: -1 }, 'free.per_day must be a whole number from 0 to 2000000000, or null for no limit'],
    [{ per_day: 1.5 }, 'free.per_day must be a whole number from 0 to 2000000000, or null for no limit'],
    [
      { per_day: 2_147_483_648 },
      'free.per_day must be a whole number from 0 to 2000000000, or null for no limit',
    ],
    [{ rate: 5 }, 'free.rate must be an object with per_second and burst, or null for no limit'],
    [{ rate: { per_second: 2 } }, 'free.rate.burst is missing'],
    [{ rate: { burst: 2 } }, 'free.rate.per_second is missing'],
    [{ rate: { per_second: 0, burst: 1 } }, 'free.rate.per_second must be a number from 0.001 to 1000000'],
    [{ rate: { per_second: 1, burst: 0 } }, 'free.rate.burst must be a whole number from 1 to 1000000'],
    [{ rate: { per_second: 1, burst: 1, window: 3 } }, 'free.rate.window is not known; omit it'],
    [{ verify: 'yes' }, 'free.verify must be true or false'],
    [{ refresh: null }, 'free.refresh must be true or false'],
    [{ bulk_limit: null }, 'free.bulk_limit must be a whole number from 0 to 100000000'],
    [{ retention_days: 3_651 }, 'free.retention_days must be a whole number from 0 to 3650'],
    [{ perDay: 3 }, 'free.perDay is not known; omit it'],
  ])('with %j is refused by the name of the member', async (members, refusal) => {
    expect(await refusalOf(withFree(members))).toEqual([refusal]);
  });

  it.each(['Gold', '', '1', 'a b', 'gold\n', 'x'.repeat(41)])(
    'with a tier named %j is refused',
    async (name) => {
      expect(await refusalOf({ ...TABLE, [name]: ROW })).toEqual([
        expect.stringContaining('is not a valid tier name'),
      ]);
    },
  );

  it('in which a later tier has a lower daily quota is refused', async () => {
    const { suspended, free, unlimited } = TABLE;
    expect(await refusalOf({ suspended, unlimited, free })).toEqual([
      'is not in rising order: free has less per_day than unlimited before it',
    ]);
    expect(await refusalOf({ free, suspended, unlimited })).toEqual([
      'is not in rising order: suspended has less per_day than free before it',
    ]);
  });

  it('is refused with all of its problems at once', async () => {
    expect(await refusalOf({ ...TABLE, free: 3, gold: { ...ROW, verify: 1, bulk_limit: 'x' } })).toEqual([
      'free must be an object',
      'gold.verify must be true or false',
      'gold.bulk_limit must be a whole number from 0 to 100000000',
    ]);
  });

  it.each([
    ['[]', 'must be an object: the name of each tier and what it includes'],
    ['null', 'must be an object: the name of each tier and what it includes'],
    ['{"free": ', 'is not JSON: '],
    ['', 'is not JSON: '],
    ['{"free": {"per_day": {"constructor": 1}}}', 'must not have a member named constructor'],
    ['{"free": {"__proto__": {}}}', 'must not have a member named __proto__'],
  ])('that is %j is refused', async (content, refusal) => {
    expect(await refusalOf(content)).toEqual([expect.stringContaining(refusal)]);
  });

  it('that does not exist is refused with its path', async () => {
    const path = join(folder, 'nowhere.json');
    await expect(readTiersFile(path)).rejects.toThrow(`TIERS_FILE ${path}: cannot be read (ENOENT)`);
  });
});
