import { useSyncExternalStore } from 'react';
import type { Status } from '../../api/client';

export interface Entry {
  email: string;
  status: Status;
  reason: string;
  at: string;
}

const STORED = 'rcpt.history';
const MAX_ENTRIES = 50;
const listeners = new Set<() => void>();
let entries: readonly Entry[] = read();

/** The verdicts of this browser, newest first, until the person signs out. */
export const verdictHistory = {
  add(entry: Entry): void {
    write([entry, ...entries.filter(({ email }) => email !== entry.email)].slice(0, MAX_ENTRIES));
  },
  clear: () => write([]),
};

export function useHistory(): readonly Entry[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => entries,
  );
}

function write(next: readonly Entry[]): void {
  entries = next;
  localStorage.setItem(STORED, JSON.stringify(next));
  for (const listener of listeners) listener();
}

function read(): readonly Entry[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORED) ?? '[]');
    return Array.isArray(stored) ? (stored as Entry[]) : [];
  } catch {
    return [];
  }
}
