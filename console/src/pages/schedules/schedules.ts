import { queryOptions } from '@tanstack/react-query';
import { api, data, type Schemas } from '../../api/client';
import { useIsLive, useMe } from '../../api/queries';
import type { schedulesEn } from '../../texts/schedules/schedules.en';
import { useFormats } from '../../texts/texts';

export type Schedule = Schemas['Schedule'];
export type Run = Schemas['ScheduleRun'];
type SchedulesTexts = typeof schedulesEn;

/** A team has at most twenty. */
const MAX_SCHEDULES = 100;
const POLL_MS = 2_000;

/** A run that waits for a person is not. */
const UNDER_WAY: readonly Run['status'][] = ['queued', 'verifying', 'writing'];

export const isUnderWay = (run: Run | null): run is Run & { status: 'queued' | 'verifying' | 'writing' } =>
  run !== null && UNDER_WAY.includes(run.status);

/** When to look again. */
export const pollOf = (runs: readonly (Run | null)[]) => (runs.some(isUnderWay) ? POLL_MS : false);

export const schedulesQuery = queryOptions({
  queryKey: ['schedules'],
  queryFn: () => data(api.GET('/v1/schedules', { params: { query: { limit: MAX_SCHEDULES } } })),
  refetchInterval: ({ state }) => pollOf(state.data?.data.map(({ last_run: run }) => run) ?? []),
});

export const scheduleQuery = (id: string) =>
  queryOptions({
    queryKey: ['schedule', id],
    queryFn: () => data(api.GET('/v1/schedules/{id}', { params: { path: { id } } })),
    refetchInterval: ({ state }) => pollOf([state.data?.last_run ?? null]),
  });

/** What a change of a schedule, or a run, makes stale. */
export const queriesOf = (id: string) => [['schedules'], ['schedule', id], ['schedule-runs', id]];

/** A key for tests may read schedules only. The tier decides about new ones and runs. */
export function useMaySchedule(): { mayChange: boolean; mayRun: boolean } {
  const me = useMe();
  const mayChange = useIsLive();
  return { mayChange, mayRun: mayChange && me !== null && me.features.includes('schedules') };
}

/** An hour in UTC, and what it is for the reader. */
export function useHour(): (t: SchedulesTexts, hour: number) => string {
  const { clock } = useFormats();
  return (t, hour) => {
    const date = new Date();
    date.setUTCHours(hour, 0, 0, 0);
    const utc = `${String(hour).padStart(2, '0')}:00`;
    if (date.getTimezoneOffset() === 0) return `${utc} UTC`;
    const day = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate());
    const ofReader = Date.UTC(date.getFullYear(), date.getMonth(), date.getDate());
    return t.schedules.bothTimes(utc, clock(date.toISOString()), Math.sign(ofReader - day));
  };
}

export const WEEKDAYS = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const satisfies readonly Schedule['weekday'][];
const A_MONDAY = Date.UTC(2024, 0, 1);
const DAY_MS = 86_400_000;

export function weekdayIn(language: string, weekday: Schedule['weekday']): string {
  const date = new Date(A_MONDAY + WEEKDAYS.indexOf(weekday) * DAY_MS);
  return new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' }).format(date);
}

/** What it does, as a sentence. */
export function sentenceOf(
  t: SchedulesTexts,
  language: string,
  hour: string,
  { source, every, weekday, day_of_month: day, max_age_days: days }: Schedule,
): string {
  const when = {
    day: t.schedules.when.day(hour),
    week: t.schedules.when.week(hour, weekdayIn(language, weekday)),
    month: t.schedules.when.month(hour, day),
  };
  return t.schedules.sentence(whatOf(t, language, source), when[every], String(days));
}

/** A URL without its query, which may be long and secret. */
function whatOf(t: SchedulesTexts, language: string, { kind, url, lists = [] }: Schedule['source']): string {
  const { host, pathname } = new URL(url);
  if (kind === 'url') return t.schedules.file(host + pathname);
  const ids = new Intl.ListFormat(language, { type: 'conjunction' }).format(lists.map(String));
  return t.schedules.lists(ids, lists.length, host);
}
