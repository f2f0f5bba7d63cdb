/** A team's quota of the day, as stored. */
export interface QuotaStatus {
  /** `YYYY-MM-DD`, the database's UTC day. */
  day: string;
  used: number;
  /** Reserved for lists and not verified yet. */
  reserved: number;
  /** Of `used` and `reserved`, the units of publishable keys. */
  publishable: number;
  /** Whether the team was notified today. */
  warned: boolean;
  exceeded: boolean;
}

/** The share of the limit at which a team is notified. */
const WARNING_SHARE = 0.8;

/** Thresholds, each reported at most once per day. */
export type Threshold = 'warned' | 'exceeded';

/** Never negative: the limit may have been lowered during the day. */
export function remainingOf(
  limit: number,
  { used, reserved }: Pick<QuotaStatus, 'used' | 'reserved'>,
): number {
  return Math.max(0, limit - used - reserved);
}

/** @param share the maximum of publishable keys; null: the caller uses a secret key. */
export function remainingFor(
  limit: number,
  share: number | null,
  status: Pick<QuotaStatus, 'used' | 'reserved' | 'publishable'>,
): number {
  const ofTeam = remainingOf(limit, status);
  return share === null ? ofTeam : Math.max(0, Math.min(ofTeam, share - status.publishable));
}

/** The calls that fit into the remaining quota, in order; free calls always fit. */
export function fitting<Call extends { used: number }>(calls: readonly Call[], remaining: number): Call[] {
  let rest = remaining;
  return calls.filter(({ used }) => {
    const fits = used <= rest;
    if (fits) rest -= used;
    return fits;
  });
}

/** Passed thresholds that were not reported. */
export function unreportedThresholds(
  limit: number | null,
  { used, warned, exceeded }: QuotaStatus,
): Threshold[] {
  if (limit === null || limit === 0) return [];
  const thresholds: Threshold[] = [];
  if (!warned && used >= limit * WARNING_SHARE) thresholds.push('warned');
  if (!exceeded && used >= limit) thresholds.push('exceeded');
  return thresholds;
}
