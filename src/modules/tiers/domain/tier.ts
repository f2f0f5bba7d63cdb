import type { Feature, TierName } from '../../../kernel/principal.js';

/** What a team of this tier may do, and how much. */
export interface Tier {
  name: TierName;
  /** Units a UTC day; null: no limit. */
  perDay: number | null;
  /** Requests a second in the long run, and at once; null: no limit. */
  rate: { perSecond: number; burst: number } | null;
  verify: boolean;
  refresh: boolean;
  /** Most addresses in one job; 0: no bulk. */
  bulkLimit: number;
  /** Days that results and facts about addresses are kept. */
  retentionDays: number;
}

export function includes(tier: Tier, feature: Feature): boolean {
  return feature === 'bulk' ? tier.bulkLimit > 0 : tier[feature];
}

const tier = (
  name: TierName,
  perDay: number | null,
  rate: [perSecond: number, burst: number] | null,
  verify: boolean,
  refresh: boolean,
  bulkLimit: number,
  retentionDays: number,
): Tier => ({
  name,
  perDay,
  rate: rate && { perSecond: rate[0], burst: rate[1] },
  verify,
  refresh,
  bulkLimit,
  retentionDays,
});

/** Code speaks of these by name, so every table has them. */
export const REQUIRED_TIERS: readonly TierName[] = ['suspended', 'free', 'unlimited'];

/** In rising order: the higher of two tiers is the later one. */
export const DEFAULT_TIERS: readonly Tier[] = [
  // name        per day  rate        verify refresh  bulk      kept
  tier('suspended', 0, [1, 5], false, false, 0, 7),
  tier('free', 100, [2, 10], true, false, 0, 7),
  tier('starter', 1_000, [10, 20], true, true, 1_000, 14),
  tier('growth', 10_000, [25, 50], true, true, 10_000, 30),
  tier('scale', 100_000, [100, 200], true, true, 100_000, 30),
  tier('unlimited', null, null, true, true, 1_000_000, 30),
];
