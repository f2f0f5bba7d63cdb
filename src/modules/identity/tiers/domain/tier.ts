import type { Feature, TierName } from '../../../../kernel/principal.js';

export interface Tier {
  name: TierName;
  /** Units per UTC day; null: no limit. */
  perDay: number | null;
  /** Requests per second in the long run, and at once; null: no limit. */
  rate: { perSecond: number; burst: number } | null;
  verify: boolean;
  refresh: boolean;
  /** Without `refresh`: the smallest `max_age` of a call, in seconds. */
  minMaxAge: number;
  /** What a domain says about its mail. */
  domains: boolean;
  /** Maximum number of addresses in one job; 0: no bulk. */
  bulkLimit: number;
  /** Lists that are verified at regular times. */
  schedules: boolean;
  /** Days that results and facts about addresses are kept. */
  retentionDays: number;
}

export function includes(tier: Tier, feature: Feature): boolean {
  return feature === 'bulk' ? tier.bulkLimit > 0 : tier[feature];
}

/** The code refers to these by name, so every table must contain them. */
export const REQUIRED_TIERS: readonly TierName[] = ['suspended', 'free', 'unlimited'];

/** A day: what mail servers have said is stored for at least as long. */
export const DEFAULT_MIN_MAX_AGE = 86_400;

const rate = (perSecond: number, burst: number) => ({ perSecond, burst });

/** In ascending order: the higher of two tiers is the later one. */
export const DEFAULT_TIERS: readonly Tier[] = [
  {
    name: 'suspended',
    perDay: 0,
    rate: rate(1, 5),
    verify: false,
    refresh: false,
    minMaxAge: DEFAULT_MIN_MAX_AGE,
    domains: false,
    bulkLimit: 0,
    schedules: false,
    retentionDays: 7,
  },
  {
    name: 'free',
    perDay: 100,
    rate: rate(2, 10),
    verify: true,
    refresh: false,
    minMaxAge: DEFAULT_MIN_MAX_AGE,
    domains: true,
    bulkLimit: 0,
    schedules: false,
    retentionDays: 7,
  },
  {
    name: 'starter',
    perDay: 1_000,
    rate: rate(10, 20),
    verify: true,
    refresh: true,
    minMaxAge: 0,
    domains: true,
    bulkLimit: 1_000,
    schedules: true,
    retentionDays: 14,
  },
  {
    name: 'growth',
    perDay: 10_000,
    rate: rate(25, 50),
    verify: true,
    refresh: true,
    minMaxAge: 0,
    domains: true,
    bulkLimit: 10_000,
    schedules: true,
    retentionDays: 30,
  },
  {
    name: 'scale',
    perDay: 100_000,
    rate: rate(100, 200),
    verify: true,
    refresh: true,
    minMaxAge: 0,
    domains: true,
    bulkLimit: 100_000,
    schedules: true,
    retentionDays: 30,
  },
  {
    name: 'unlimited',
    perDay: null,
    rate: null,
    verify: true,
    refresh: true,
    minMaxAge: 0,
    domains: true,
    bulkLimit: 1_000_000,
    schedules: true,
    retentionDays: 30,
  },
];
