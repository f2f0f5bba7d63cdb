/** A team's day as the database keeps it. */
export interface QuotaStatus {
  /** `YYYY-MM-DD`, the database's UTC day. */
  day: string;
  used: number;
  /** Charged for lists, and not answered yet. */
  reserved: number;
  /** Whether the team was told today. */
  warned: boolean;
  exceeded: boolean;
}

/** A team is told when this part of the day's limit is used. */
const WARNING_PART = 0.8;

/** Marks that a day passes at most once. */
export type Mark = 'warned' | 'exceeded';

/** Never negative: a tier may have come down since it was used. */
export function remainingOf(
  limit: number,
  { used, reserved }: Pick<QuotaStatus, 'used' | 'reserved'>,
): number {
  return Math.max(0, limit - used - reserved);
}

/** Those that fit into what remains, earlier ones first; what costs nothing always fits. */
export function fitting<Call extends { units: number }>(calls: readonly Call[], remaining: number): Call[] {
  let left = remaining;
  return calls.filter(({ units }) => {
    const fits = units <= left;
    if (fits) left -= units;
    return fits;
  });
}

/** The marks that the day has passed and nobody was told of. */
export function unreportedMarks(limit: number | null, { used, warned, exceeded }: QuotaStatus): Mark[] {
  if (limit === null || limit === 0) return [];
  const marks: Mark[] = [];
  if (!warned && used >= limit * WARNING_PART) marks.push('warned');
  if (!exceeded && used >= limit) marks.push('exceeded');
  return marks;
}
