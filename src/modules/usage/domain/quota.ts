/** A team's quota of the day, as stored. */
export interface QuotaStatus {
  /** `YYYY-MM-DD`, the database's UTC day. */
  day: string;
  used: number;
  /** Reserved for lists and not answered yet. */
  reserved: number;
  /** Whether the team was notified today. */
  warned: boolean;
  exceeded: boolean;
}

/** The share of the limit at which a team is notified. */
const WARNING_SHARE = 0.8;

/** Thresholds, each reported at most once per day. */
export type Mark = 'warned' | 'exceeded';

/** Never negative: the limit may have been lowered during the day. */
export function remainingOf(
  limit: number,
  { used, reserved }: Pick<QuotaStatus, 'used' | 'reserved'>,
): number {
  return Math.max(0, limit - used - reserved);
}

/** The calls that fit into the remaining quota, in order; free calls always fit. */
export function fitting<Call extends { units: number }>(calls: readonly Call[], remaining: number): Call[] {
  let rest = remaining;
  return calls.filter(({ units }) => {
    const fits = units <= rest;
    if (fits) rest -= units;
    return fits;
  });
}

/** Passed thresholds that were not reported. */
export function unreportedMarks(limit: number | null, { used, warned, exceeded }: QuotaStatus): Mark[] {
  if (limit === null || limit === 0) return [];
  const marks: Mark[] = [];
  if (!warned && used >= limit * WARNING_SHARE) marks.push('warned');
  if (!exceeded && used >= limit) marks.push('exceeded');
  return marks;
}
