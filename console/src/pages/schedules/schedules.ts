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

export const isUnderWay = (run: Run | null): run is Run & { status: 'queued' | 'verifying' | 'writing' } =>
  run !== null && run.status !== 'completed' && run.status !== 'failed';

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
export function useHour(): (t: SchedulesTexts, at: number) => string {
  const { clock } = useFormats();
  return (t, at) => {
    const date = new Date();
    date.setUTCHours(at, 0, 0, 0);
    const utc = `${String(at).padStart(2, '0')}:00`;
    if (date.getTimezoneOffset() === 0) return `${utc} UTC`;
    const day = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate());
    const ofReader = Date.UTC(date.getFullYear(), date.getMonth(), date.getDate());
    return t.schedules.bothTimes(utc, clock(date.toISOString()), Math.sign(ofReader - day));
  };
}

/** The day of the week or month on which it runs, as the API counts it. */
export function dayOf(createdAt: string, language: string): { weekday: string; day: number } {
  const date = new Date(createdAt);
  const weekday = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' }).format(date);
  return { weekday, day: date.getUTCDate() };
}

/** What it does, as a sentence. */
export function sentenceOf(
  t: SchedulesTexts,
  language: string,
  hour: string,
  { source, every, max_age_days: days, created_at: createdAt }: Schedule,
): string {
  const { weekday, day } = dayOf(createdAt, language);
  const when = {
    day: t.schedules.when.day(hour),
    week: t.schedules.when.week(hour, weekday),
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
