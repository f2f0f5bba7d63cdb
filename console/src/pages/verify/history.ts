import { useMemo } from 'react';
import type { Status } from '../../api/client';
import { useMe } from '../../api/queries';
import { TabValue, useTabValue } from '../../api/tab-value';

export interface Entry {
  email: string;
  status: Status;
  reason: string;
  at: string;
  /** Whose key it was. */
  team: string;
  mode: 'live' | 'test';
  /** Whether a mail server was connected to; null: none was tried. */
  isReached: boolean | null;
}

const NEEDED = 3;

/** Whether several servers could not be reached, and none could: the network seems to block port 25. */
export function seemsBlocked(entries: readonly Entry[]): boolean {
  const tried = entries.filter(({ isReached }) => typeof isReached === 'boolean');
  return tried.length >= NEEDED && tried.every(({ isReached }) => isReached === false);
}

/** Of each team and mode. */
const MAX_ENTRIES = 50;
// As long as the session: another tab may belong to another session.
const stored = new TabValue('rcpt.history');

type Scope = Pick<Entry, 'team' | 'mode'>;

const write = (entries: readonly Entry[]) => stored.set(JSON.stringify(entries));
const isOf =
  ({ team, mode }: Scope) =>
  (entry: Entry) =>
    entry.team === team && entry.mode === mode;

/** The verdicts of this session, newest first. */
export const verdictHistory = {
  add(entry: Entry): void {
    const all = parse(stored.get());
    const own = all.filter(isOf(entry)).filter(({ email }) => email !== entry.email);
    const others = all.filter((other) => !isOf(entry)(other));
    write([entry, ...own.slice(0, MAX_ENTRIES - 1), ...others]);
  },
  clear: () => stored.set(null),
  clearScope: (scope: Scope) => write(parse(stored.get()).filter((entry) => !isOf(scope)(entry))),
  /** Deletes the verdicts of all other teams. */
  keepTeams: (teams: readonly string[]) =>
    write(parse(stored.get()).filter(({ team }) => teams.includes(team))),
};

/** Of live or test keys of the team. */
export function useHistory(mode: Entry['mode']): readonly Entry[] {
  const team = useMe()?.team.id ?? '';
  const text = useTabValue(stored);
  return useMemo(() => parse(text).filter(isOf({ team, mode })), [text, team, mode]);
}

function parse(text: string | null): readonly Entry[] {
  try {
    const entries: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(entries) ? (entries as Entry[]) : [];
  } catch {
    return [];
  }
}
