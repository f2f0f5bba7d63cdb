import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { ConfigError } from '../../../platform/config/config.js';
import { REQUIRED_TIERS, type Tier } from '../domain/tier.js';

/** PostgreSQL counts in an `integer`; one job more than the limit must still fit. */
const MOST_A_DAY = 2_000_000_000;
const MOST_ADDRESSES = 100_000_000;

const advising = (advice: string) => ({
  error: (issue: { input?: unknown }) => (issue.input === undefined ? 'is missing' : advice),
});

const whole = (least: number, most: number, otherwise = '') => {
  const advice = `must be a whole number from ${least} to ${most}${otherwise}`;
  return z.int(advising(advice)).min(least, advice).max(most, advice);
};

const number = (least: number, most: number) => {
  const advice = `must be a number from ${least} to ${most}`;
  return z.number(advising(advice)).min(least, advice).max(most, advice);
};

const flag = z.boolean(advising('must be true or false'));

const Rate = z.strictObject(
  { per_second: number(0.001, 1_000_000), burst: whole(1, 1_000_000) },
  advising('must be an object with per_second and burst, or null for no limit'),
);

const Row = z.strictObject(
  {
    per_day: whole(0, MOST_A_DAY, ', or null for no limit').nullable(),
    rate: Rate.nullable(),
    verify: flag,
    refresh: flag,
    bulk_limit: whole(0, MOST_ADDRESSES),
    retention_days: whole(0, 3_650),
  },
  'must be an object',
);

const Table = z.record(
  z.string().regex(/^[a-z][a-z0-9_-]{0,39}$/),
  Row,
  'must be an object: the name of each tier and what it includes',
);

/**
 * Reads the tier table that replaces the built-in one whole: name → tier, in
 * rising order.
 *
 * @throws ConfigError naming everything that is wrong with it.
 */
export async function readTiersFile(path: string): Promise<Tier[]> {
  const parsed = Table.safeParse(await readJson(path));
  if (!parsed.success) throw refusal(path, parsed.error.issues.flatMap(sentences));
  const tiers = Object.entries(parsed.data).map(([name, row]) => toTier(name, row));
  const faults = [...missing(tiers), ...falling(tiers)];
  if (faults.length > 0) throw refusal(path, faults);
  return tiers;
}

async function readJson(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw refusal(path, [`cannot be read (${error.code ?? error.name})`]);
  });
  try {
    return JSON.parse(text);
  } catch (error) {
    throw refusal(path, [`is not JSON: ${(error as Error).message}`]);
  }
}

function toTier(name: string, row: z.infer<typeof Row>): Tier {
  return {
    name,
    perDay: row.per_day,
    rate: row.rate && { perSecond: row.rate.per_second, burst: row.rate.burst },
    verify: row.verify,
    refresh: row.refresh,
    bulkLimit: row.bulk_limit,
    retentionDays: row.retention_days,
  };
}

function missing(tiers: readonly Tier[]): string[] {
  return REQUIRED_TIERS.filter((name) => tiers.every((tier) => tier.name !== name)).map(
    (name) => `must have a tier named ${name}`,
  );
}

/** The higher of two tiers is the later one, so it must not have less a day. */
function falling(tiers: readonly Tier[]): string[] {
  return tiers.flatMap((tier, at) => {
    const lower = tiers[at - 1];
    if (lower === undefined || (tier.perDay ?? Infinity) >= (lower.perDay ?? Infinity)) return [];
    return [`is not in rising order: ${tier.name} has less per_day than ${lower.name} before it`];
  });
}

function sentences(issue: z.core.$ZodIssue): string[] {
  const place = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((name) => `${[...issue.path, name].join('.')} is not known here; leave it out`);
  }
  if (issue.code === 'invalid_key') {
    return [`${JSON.stringify(place)} is no name for a tier: a letter, then up to 39 of a-z, 0-9, _ and -`];
  }
  return [`${place} ${issue.message}`.trim()];
}

function refusal(path: string, faults: readonly string[]): ConfigError {
  return new ConfigError(faults.map((fault) => `TIERS_FILE ${path}: ${fault}`).join('\n'));
}
