import { useMemo } from 'react';
import type { Status } from '../../api/client';
import { TabValue, useTabValue } from '../../api/tab-value';

export interface Entry {
  email: string;
  status: Status;
  reason: string;
  at: string;
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

const MAX_ENTRIES = 50;
// As long as the session: another tab may belong to another team.
const stored = new TabValue('rcpt.history');

/** The verdicts of this session, newest first. */
export const verdictHistory = {
  add(entry: Entry): void {
    const isSame = ({ email, mode }: Entry) => email === entry.email && mode === entry.mode;
    const others = parse(stored.get()).filter((other) => !isSame(other));
    stored.set(JSON.stringify([entry, ...others].slice(0, MAX_ENTRIES)));
  },
  clear: () => stored.set(null),
  clearMode: (cleared: Entry['mode']) =>
    stored.set(JSON.stringify(parse(stored.get()).filter(({ mode }) => mode !== cleared))),
};

/** Of live or test keys. */
export function useHistory(mode: Entry['mode']): readonly Entry[] {
  const text = useTabValue(stored);
  return useMemo(() => parse(text).filter((entry) => entry.mode === mode), [text, mode]);
}

function parse(text: string | null): readonly Entry[] {
  try {
    const entries: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(entries) ? (entries as Entry[]) : [];
  } catch {
    return [];
  }
}
