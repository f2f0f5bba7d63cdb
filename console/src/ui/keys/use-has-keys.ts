import { useSyncExternalStore } from 'react';

const STORED = 'rcpt.keys';
const OFF = 'off';
const listeners = new Set<() => void>();

/** Whether the keys of the console act. A person who dictates, or whose screen reader sends them, can switch them off. */
const hasKeys = () => localStorage.getItem(STORED) !== OFF;

export function setHasKeys(isOn: boolean): void {
  if (isOn) localStorage.removeItem(STORED);
  else localStorage.setItem(STORED, OFF);
  for (const listener of listeners) listener();
}

export function useHasKeys(): boolean {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, hasKeys);
}
