import { useSyncExternalStore } from 'react';

/** What ended while the person was on another page. */
export interface Notice {
  text: string;
  /** The job that it is about. */
  job: string;
}

let current: Notice | null = null;
const listeners = new Set<() => void>();

export const notice = {
  get: () => current,
  set(next: Notice | null): void {
    current = next;
    for (const listener of listeners) listener();
  },
};

export const useNotice = () =>
  useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, notice.get);
