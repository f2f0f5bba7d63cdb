import type { Schemas } from '../../api/client';
import type { schedulesEn } from '../../texts/schedules/schedules.en';
import { formText } from '../../ui/form-text';
import type { Schedule } from './schedules';

type Source = Schemas['ScheduleSourceInput'];
export type Kind = Source['kind'];

/** What a schedule is made of, and what can be changed of it. */
export type ScheduleFields = Required<Omit<Schemas['ScheduleCreate'], 'enabled'>>;

/** What the page itself has found to be wrong. */
export type Faults = Partial<Record<'headers' | 'lists', string>>;

/** What the form has. @param stored the headers that the schedule has; they stay where the form has no field for them. */
export function readForm(
  t: typeof schedulesEn,
  form: HTMLFormElement,
  stored: readonly string[],
): { fields: ScheduleFields; faults: Faults } {
  const faults: Faults = {};
  const kind = formText(form, 'kind') as Kind;
  const url = formText(form, 'url');
  const sourceOf = {
    url: (): Source => {
      const { headers, fault } = headersOf(t, formText(form, 'headers'));
      if (fault !== undefined) faults.headers = fault;
      const isReplaced = stored.length > 0 && form.elements.namedItem('headers') !== null;
      return { kind: 'url', url, ...((isReplaced || Object.keys(headers).length > 0) && { headers }) };
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
    source: sourceOf[kind](),
    max_age_days: Number(formText(form, 'max_age_days')),
    on_result: { listmonk: (formText(form, 'on_result') || 'none') as Schedule['on_result']['listmonk'] },
  };
  return { fields, faults };
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
  const names = ['name', 'every', 'at', 'max_age_days', 'on_result'] as const;
  const changed = names.filter((name) => !isSame(before[name], after[name]));
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
  source: Partial<Pick<Schedule['source'], 'username' | 'lists'>> & { kind: Kind; url: string },
) => [source.kind, source.url, source.username, source.lists];

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** A secret is not sent to another host than the one that it was entered for. False while a URL is being typed. */
export function isOtherHost(before: string, after: string): boolean {
  return URL.canParse(after) && new URL(before).origin !== new URL(after).origin;
}
