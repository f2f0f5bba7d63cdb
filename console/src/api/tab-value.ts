import { useSyncExternalStore } from 'react';

/** A text that is stored as long as the tab is open, never in a URL or a cookie. */
export class TabValue {
  private readonly listeners = new Set<() => void>();

  constructor(private readonly name: string) {}

  readonly get = (): string | null => sessionStorage.getItem(this.name);

  set(value: string | null): void {
    if (value === null) sessionStorage.removeItem(this.name);
    else sessionStorage.setItem(this.name, value);
    for (const listener of this.listeners) listener();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
}

export function useTabValue(value: TabValue): string | null {
  return useSyncExternalStore(value.subscribe, value.get);
}
