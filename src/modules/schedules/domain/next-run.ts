export const INTERVALS = ['day', 'week', 'month'] as const;
export type Interval = (typeof INTERVALS)[number];

/** When the runs of a schedule begin. */
export interface Timing {
  every: Interval;
  /** The hour in UTC. */
  atHour: number;
  /** A week has this day of the week, and a month this day of the month, in UTC; a shorter month its last day. */
  createdAt: Date;
}

const DAY_MS = 86_400_000;

/** The first time of the schedule after `after`. */
export function nextRun({ every, atHour, createdAt }: Timing, after: Date): Date {
  const at = (year: number, month: number, day: number) => new Date(Date.UTC(year, month, day, atHour));
  const [year, month] = [after.getUTCFullYear(), after.getUTCMonth()];
  if (every === 'month') {
    const inMonth = (offset: number) => {
      const lastDay = new Date(Date.UTC(year, month + offset + 1, 0)).getUTCDate();
      return at(year, month + offset, Math.min(createdAt.getUTCDate(), lastDay));
    };
    const [first, second] = [inMonth(0), inMonth(1)];
    return first > after ? first : second;
  }
  const today = at(year, month, after.getUTCDate());
  const days = every === 'day' ? 1 : 7;
  const ahead = every === 'day' ? 0 : (createdAt.getUTCDay() - after.getUTCDay() + 7) % 7;
  const first = new Date(today.getTime() + ahead * DAY_MS);
  return first > after ? first : new Date(first.getTime() + days * DAY_MS);
}
