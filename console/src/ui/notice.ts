import { useSyncExternalStore } from 'react';

/** What ended while the person was on another page, or what has been done and can be undone. */
export type Notice =
  | {
      text: string;
      /** The job that it is about. */
      job: string;
    }
  | { text: string; undo: () => Promise<unknown> };

let current: Notice | null = null;
const listeners = new Set<() => void>();

export const notice = {
  get: () => current,
  set(next: Notice | null): void {
    current = next;
    for (const listener of listeners) listener();
  },
  /** Another key must not undo what this one has done. */
  endUndo(): void {
    if (current !== null && 'undo' in current) notice.set(null);
  },
};

export const useNotice = () =>
  useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, notice.get);
