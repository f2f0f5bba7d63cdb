import type { Schemas } from '../../api/client';
import type { schedulesEn } from '../../texts/schedules/schedules.en';
import type { Language } from '../../texts/texts';
import { formText } from '../../ui/form-text';
import type { Schedule } from './schedules';

type Source = Schemas['ScheduleSourceInput'];
export type Kind = Source['kind'];

/** What a schedule is made of, and what can be changed of it. */
export type ScheduleFields = Required<
  Omit<Schemas['ScheduleCreate'], 'enabled' | 'weekday' | 'day_of_month'>
> &
  Pick<Schemas['ScheduleCreate'], 'weekday' | 'day_of_month'>;

/** What the page itself has found to be wrong. */
export type Faults = Partial<Record<'headers' | 'lists', string>>;

/** What the form has. @param before the schedule that is changed: what the form has no field for stays. */
export function readForm(
  t: typeof schedulesEn,
  language: Language,
  form: HTMLFormElement,
  before: Schedule | undefined,
): { fields: ScheduleFields; faults: Faults } {
  const faults: Faults = {};
  const kind = formText(form, 'kind') as Kind;
  const url = formText(form, 'url');
  const sourceOf = {
    url: (): Source => {
      const { headers, fault } = headersOf(t, formText(form, 'headers'));
      if (fault !== undefined) faults.headers = fault;
      const hasStored = (before?.source.headers ?? []).length > 0;
      const isReplaced = hasStored && form.elements.namedItem('headers') !== null;
      const column = formText(form, 'email_column');
      return {
        kind: 'url',
        url,
        ...((isReplaced || Object.keys(headers).length > 0) && { headers }),
        ...(column !== '' && { email_column: column }),
      };
    },
    listmonk: (): Source => {
      const lists = formText(form, 'lists')
        .split(/[\s,;]+/)
        .filter(Boolean);
      if (!lists.every((id) => /^\d+$/.test(id))) faults.lists = t.schedules.listIdsWrong;
      const token = formText(form, 'token');
      const username = formText(form, 'username');
      return { kind: 'listmonk', url, username, lists: lists.map(Number), ...(token !== '' && { token }) };
    },
  };
  const fields = {
    name: formText(form, 'name'),
    every: formText(form, 'every') as ScheduleFields['every'],
    at: Number(formText(form, 'at')),
    ...daysOf(form),
    source: sourceOf[kind](),
    max_age_days: Number(formText(form, 'max_age_days')),
    notify: notifyOf(form, language, before?.notify ?? null),
    on_result: {
      listmonk: (formText(form, 'on_result') || 'none') as Schedule['on_result']['listmonk'],
      ...(kind === 'listmonk' && {
        max_blocklisted: {
          share: Number(formText(form, 'max_share')) / 100,
          count: Number(formText(form, 'max_count')),
        },
      }),
    },
  };
  return { fields, faults };
}

/** The day that the form asks for: of the week, of the month, or none. */
function daysOf(form: HTMLFormElement): Pick<ScheduleFields, 'weekday' | 'day_of_month'> {
  const weekday = formText(form, 'weekday') as NonNullable<ScheduleFields['weekday']> | '';
  const day = formText(form, 'day_of_month');
  return { ...(weekday !== '' && { weekday }), ...(day !== '' && { day_of_month: Number(day) }) };
}

/** A mail that was asked for keeps its language; who cannot choose changes nothing. */
function notifyOf(form: HTMLFormElement, language: Language, before: Schedule['notify']): Schedule['notify'] {
  const box = form.elements.namedItem('notify');
  if (!(box instanceof HTMLInputElement) || box.disabled) return before;
  return box.checked ? (before ?? language) : null;
}

/** A line for each header: its name, a colon and its value. */
function headersOf(t: typeof schedulesEn, text: string): { headers: Record<string, string>; fault?: string } {
  const headers: Record<string, string> = {};
  const names = new Set<string>();
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const [, name, value] = /^\s*([^\s:]+)\s*:\s*(.+?)\s*$/.exec(line) ?? [];
    if (name === undefined || value === undefined)
      return { headers, fault: t.schedules.headersWrong(index + 1) };
    if (names.has(name.toLowerCase())) return { headers, fault: t.schedules.headersTwice(index + 1) };
    names.add(name.toLowerCase());
    headers[name] = value;
  }
  return { headers };
}

/** What differs. A secret that was entered always does. */
export function changesOf(before: Schedule, after: ScheduleFields): Schemas['ScheduleUpdate'] {
  const names = [
    'name',
    'every',
    'at',
    'weekday',
    'day_of_month',
    'max_age_days',
    'on_result',
    'notify',
  ] as const;
  const changed = names.filter((name) =>
    name === 'on_result'
      ? !isSame(boundOf(before.on_result), boundOf({ ...before.on_result, ...after.on_result }))
      : after[name] !== undefined && !isSame(before[name], after[name]),
  );
  const { source } = after;
  const hasSecret = source.kind === 'url' ? source.headers !== undefined : source.token !== undefined;
  const isSourceChanged = hasSecret || !isSame(publicOf(before.source), publicOf(source));
  return {
    ...Object.fromEntries(changed.map((name) => [name, after[name]])),
    ...(isSourceChanged && { source }),
  };
}

/** Without the secrets, and the names of headers, which change only with them. */
const publicOf = (
  source: Partial<Pick<Schedule['source'], 'email_column' | 'username' | 'lists'>> & {
    kind: Kind;
    url: string;
  },
) => [source.kind, source.url, source.email_column ?? null, source.username, source.lists];

const boundOf = ({ listmonk, max_blocklisted: bound }: Schemas['ScheduleOnResultInput']) => [
  listmonk,
  bound?.share,
  bound?.count,
];

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** A secret is not sent to another host than the one that it was entered for. False while a URL is being typed. */
export function isOtherHost(before: string, after: string): boolean {
  return URL.canParse(after) && new URL(before).origin !== new URL(after).origin;
}
