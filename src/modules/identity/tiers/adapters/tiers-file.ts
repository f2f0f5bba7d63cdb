import { plainToInstance, Type } from 'class-transformer';
import {
  IsBoolean,
  IsInt,
  IsNumber,
  IsObject,
  isObject,
  IsOptional,
  Max,
  Min,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import 'reflect-metadata';
import { composeDecorators } from '../../../../platform/config/compose-decorators.js';
import { readJsonTable, refusalOf } from '../../../../platform/config/json-table.js';
import { problemsOf, REFUSE_UNKNOWN } from '../../../../platform/config/validation-problems.js';
import { DEFAULT_MIN_MAX_AGE, REQUIRED_TIERS, type Tier } from '../domain/tier.js';

const VARIABLE = 'TIERS_FILE';
/** Units are counted in an `integer`; the largest job on top of the limit must fit too. */
const MAX_PER_DAY = 2_000_000_000;
const TIER_NAME = /^[a-z][a-z0-9_-]{0,39}$/;

const message = (advice: string) => ({
  message: ({ value }: { value: unknown }) => (value === undefined ? 'is missing' : advice),
});

const WholeNumber = (min: number, max: number, otherwise = '') => {
  const options = message(`must be a whole number from ${min} to ${max}${otherwise}`);
  return composeDecorators(IsInt(options), Min(min, options), Max(max, options));
};

const NumberBetween = (min: number, max: number) => {
  const options = message(`must be a number from ${min} to ${max}`);
  return composeDecorators(IsNumber({}, options), Min(min, options), Max(max, options));
};

const Flag = () => IsBoolean(message('must be true or false'));

/** The other decorators of the property apply to values other than null. */
const OrNull = () => ValidateIf((_, value) => value !== null);

class RateRow {
  @NumberBetween(0.001, 1_000_000)
  per_second: number;

  @WholeNumber(1, 1_000_000)
  burst: number;
}

class TierRow {
  @OrNull()
  @WholeNumber(0, MAX_PER_DAY, ', or null for no limit')
  per_day: number | null;

  @OrNull()
  @IsObject(message('must be an object with per_second and burst, or null for no limit'))
  @ValidateNested()
  @Type(() => RateRow)
  rate: RateRow | null;

  @Flag()
  verify: boolean;

  @Flag()
  refresh: boolean;

  /** Missing: a day, and 0 with `refresh`. */
  @IsOptional()
  @WholeNumber(1, 31_536_000)
  min_max_age?: number;

  /** Missing: as `verify`. */
  @IsOptional()
  @Flag()
  domains?: boolean;

  @WholeNumber(0, 100_000_000)
  bulk_limit: number;

  /** Absent: as in the tables of versions without schedules, wherever there are lists. */
  @IsOptional()
  @Flag()
  schedules?: boolean;

  @WholeNumber(0, 3_650)
  retention_days: number;
}

/**
 * Reads the tier table that replaces the built-in one: name → tier, in
 * ascending order.
 *
 * @throws ConfigError with every problem of the file.
 */
export async function readTiersFile(path: string): Promise<Tier[]> {
  const table = await readJsonTable(VARIABLE, path, 'the name of each tier and what it includes');
  const rows = Object.entries(table).map(([name, row]) => ({ name, row: plainToInstance(TierRow, row) }));
  const invalid = rows.flatMap(({ name, row }) => problemsOfRow(name, row));
  if (invalid.length > 0) throw refusalOf(VARIABLE, path, invalid);
  const tiers = rows.map(({ name, row }) => toTier(name, row));
  const problems = [...missingTiers(tiers), ...tiersOutOfOrder(tiers)];
  if (problems.length > 0) throw refusalOf(VARIABLE, path, problems);
  return tiers;
}

function problemsOfRow(name: string, row: unknown): string[] {
  if (!TIER_NAME.test(name)) {
    return [`${JSON.stringify(name)} is not a valid tier name: a letter, then up to 39 of a-z, 0-9, _ and -`];
  }
  if (!isObject(row)) return [`${name} must be an object`];
  return problemsOf(row, REFUSE_UNKNOWN).map((problem) => `${name}.${problem}`);
}

function toTier(
  name: string,
  { per_day, rate, bulk_limit, schedules, retention_days, min_max_age, ...flags }: TierRow,
): Tier {
  return {
    name,
    perDay: per_day,
    rate: rate && { perSecond: rate.per_second, burst: rate.burst },
    ...flags,
    minMaxAge: flags.refresh ? 0 : (min_max_age ?? DEFAULT_MIN_MAX_AGE),
    domains: flags.domains ?? flags.verify,
    bulkLimit: bulk_limit,
    schedules: schedules ?? bulk_limit > 0,
    retentionDays: retention_days,
  };
}

function missingTiers(tiers: readonly Tier[]): string[] {
  return REQUIRED_TIERS.filter((name) => tiers.every((tier) => tier.name !== name)).map(
    (name) => `must have a tier named ${name}`,
  );
}

/** The higher of two tiers is the later one, so it must not have less a day. */
function tiersOutOfOrder(tiers: readonly Tier[]): string[] {
  return tiers.flatMap((tier, at) => {
    const lower = tiers[at - 1];
    if (lower === undefined || (tier.perDay ?? Infinity) >= (lower.perDay ?? Infinity)) return [];
    return [`is not in rising order: ${tier.name} has less per_day than ${lower.name} before it`];
  });
}
