import { useSyncExternalStore } from 'react';

/** What ended while the person was on another page, or what has been done and can be undone. */
export type Notice =
  | {
      text: string;
      /** The job that it is about. */
      job: string;
    }
  | {
      text: string;
      undo: () => Promise<unknown>;
      /** The end of the path of the page where it can be undone; otherwise the one where it was done. */
      at?: string;
      /** The offer has ended, also by `undo`. */
      end?: () => void;
    };

let current: Notice | null = null;
const listeners = new Set<() => void>();

export const notice = {
  get: () => current,
  set(next: Notice | null): void {
    const before = current;
    current = next;
    if (before !== null && 'undo' in before) before.end?.();
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
