import { plainToInstance, Type } from 'class-transformer';
import {
  IsBoolean,
  IsInt,
  IsNumber,
  IsObject,
  isObject,
  Max,
  Min,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import 'reflect-metadata';
import { composeDecorators } from '../../../platform/config/compose-decorators.js';
import { readJsonTable, refusalOf } from '../../../platform/config/json-table.js';
import { problemsOf, REFUSE_UNKNOWN } from '../../../platform/config/validation-problems.js';
import { REQUIRED_TIERS, TIER_FIELDS, type Tier, type TierFieldType } from '../domain/tier.js';

const VARIABLE = 'TIERS_FILE';
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
  @IsObject(message('must be an object with per_second and burst, or null for no limit'))
  @ValidateNested()
  @Type(() => RateRow)
  rate: RateRow | null;
}

/** The other members of a row. */
for (const { json, type } of TIER_FIELDS) rulesOf(type)(TierRow.prototype, json);

function rulesOf(type: TierFieldType): PropertyDecorator {
  if (type.kind === 'flag') return Flag();
  const { min, max, nullable } = type;
  const rules =
    type.kind === 'integer'
      ? WholeNumber(min, max, nullable ? ', or null for no limit' : '')
      : NumberBetween(min, max);
  return nullable ? composeDecorators(OrNull(), rules) : rules;
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

/** The row is valid, so that every member has the type of its field. */
function toTier(name: string, row: TierRow): Tier {
  const members = row as unknown as Record<string, unknown>;
  const limits = TIER_FIELDS.map(({ key, json }) => [key, members[json]] as const);
  const rate = row.rate && { perSecond: row.rate.per_second, burst: row.rate.burst };
  return { name, rate, ...Object.fromEntries(limits) } as unknown as Tier;
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
