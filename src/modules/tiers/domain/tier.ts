import type { Feature, TierName } from '../../../kernel/principal.js';

/** The features and limits of a tier. */
export interface Tier {
  name: TierName;
  /** Units per UTC day; null: no limit. */
  perDay: number | null;
  /** Requests per second in the long run, and at once; null: no limit. */
  rate: { perSecond: number; burst: number } | null;
  verify: boolean;
  refresh: boolean;
  /** Maximum number of addresses in one job; 0: no bulk. */
  bulkLimit: number;
  /** Days that results and facts about addresses are kept. */
  retentionDays: number;
}

/** The value of a limit in a tier table. */
export type TierFieldType =
  | { readonly kind: 'flag' }
  | {
      readonly kind: 'integer' | 'number';
      readonly min: number;
      readonly max: number;
      /** null means no limit. */
      readonly nullable?: true;
      /** 0 disables the feature; the table of the documentation then has `no`. */
      readonly zeroDisables?: true;
      /** Of the number in the table of the documentation. */
      readonly unit?: string;
    };

/** A limit in a tier table: its name in JSON, and the bounds of its value. */
export interface TierField {
  readonly key: Exclude<keyof Tier, 'name' | 'rate'>;
  readonly json: string;
  readonly type: TierFieldType;
}

/** Units are counted in an `integer`; the largest job on top of the limit must fit too. */
const MAX_PER_DAY = 2_000_000_000;

/**
 * The limits of a tier except the rate, in the order of the documented table. The reader of `TIERS_FILE`
 * and the test of the documentation derive from this list.
 */
export const TIER_FIELDS: readonly TierField[] = [
  { key: 'perDay', json: 'per_day', type: { kind: 'integer', min: 0, max: MAX_PER_DAY, nullable: true } },
  { key: 'verify', json: 'verify', type: { kind: 'flag' } },
  { key: 'refresh', json: 'refresh', type: { kind: 'flag' } },
  {
    key: 'bulkLimit',
    json: 'bulk_limit',
    type: { kind: 'integer', min: 0, max: 100_000_000, zeroDisables: true },
  },
  { key: 'retentionDays', json: 'retention_days', type: { kind: 'integer', min: 0, max: 3_650, unit: 'd' } },
];

export function includes(tier: Tier, feature: Feature): boolean {
  return feature === 'bulk' ? tier.bulkLimit > 0 : tier[feature];
}

/** The code refers to these by name, so every table must contain them. */
export const REQUIRED_TIERS: readonly TierName[] = ['suspended', 'free', 'unlimited'];

const rate = (perSecond: number, burst: number) => ({ perSecond, burst });

/** In ascending order: the higher of two tiers is the later one. */
export const DEFAULT_TIERS: readonly Tier[] = [
  {
    name: 'suspended',
    perDay: 0,
    rate: rate(1, 5),
    verify: false,
    refresh: false,
    bulkLimit: 0,
    retentionDays: 7,
  },
  {
    name: 'free',
    perDay: 100,
    rate: rate(2, 10),
    verify: true,
    refresh: false,
    bulkLimit: 0,
    retentionDays: 7,
  },
  {
    name: 'starter',
    perDay: 1_000,
    rate: rate(10, 20),
    verify: true,
    refresh: true,
    bulkLimit: 1_000,
    retentionDays: 14,
  },
  {
    name: 'growth',
    perDay: 10_000,
    rate: rate(25, 50),
    verify: true,
    refresh: true,
    bulkLimit: 10_000,
    retentionDays: 30,
  },
  {
    name: 'scale',
    perDay: 100_000,
    rate: rate(100, 200),
    verify: true,
    refresh: true,
    bulkLimit: 100_000,
    retentionDays: 30,
  },
  {
    name: 'unlimited',
    perDay: null,
    rate: null,
    verify: true,
    refresh: true,
    bulkLimit: 1_000_000,
    retentionDays: 30,
  },
];
