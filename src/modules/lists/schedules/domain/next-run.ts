import { DAY_MS } from '../../../../kernel/durations.js';

export const INTERVALS = ['day', 'week', 'month'] as const;
export type Interval = (typeof INTERVALS)[number];

export const WEEKDAYS = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** When the runs of a schedule begin, in UTC. */
export interface Timing {
  every: Interval;
  hour: number;
  /** Of every week. */
  weekday: Weekday;
  /** Of every month, 1–31; a shorter month has its last day. */
  dayOfMonth: number;
}

/** In UTC. */
export function weekdayOf(date: Date): Weekday {
  return WEEKDAYS[(date.getUTCDay() + 6) % 7]!;
}

/** The first time of the schedule after `after`. */
export function nextRun({ every, hour, weekday, dayOfMonth }: Timing, after: Date): Date {
  const timeOf = (year: number, month: number, day: number) => new Date(Date.UTC(year, month, day, hour));
  const [year, month] = [after.getUTCFullYear(), after.getUTCMonth()];
  if (every === 'month') {
    const inMonth = (offset: number) => {
      const lastDay = new Date(Date.UTC(year, month + offset + 1, 0)).getUTCDate();
      return timeOf(year, month + offset, Math.min(dayOfMonth, lastDay));
    };
    const [first, second] = [inMonth(0), inMonth(1)];
    return first > after ? first : second;
  }
  const today = timeOf(year, month, after.getUTCDate());
  const days = every === 'day' ? 1 : 7;
  const ahead =
    every === 'day' ? 0 : (WEEKDAYS.indexOf(weekday) - WEEKDAYS.indexOf(weekdayOf(after)) + 7) % 7;
  const first = new Date(today.getTime() + ahead * DAY_MS);
  return first > after ? first : new Date(first.getTime() + days * DAY_MS);
}
