import { useSyncExternalStore } from 'react';
import { ConnectionLost } from './problem';

/** The folder that `/v1` is in: this file is built into `console/assets/`. */
export const BASE = import.meta.env.DEV
  ? `${location.origin}/`
  : new URL(/* @vite-ignore */ '../../', import.meta.url).href;
/** The path of the console. */
export const CONSOLE_PATH = import.meta.env.DEV ? '/' : new URL('console', BASE).pathname;

const PROBE_MS = 2_000;
let isLost = false;
const listeners = new Set<() => void>();

/** `fetch` that reports when the service cannot be reached, and polls it until it can. */
export async function reach(input: Request | string, init?: RequestInit): Promise<Response> {
  try {
    const response = await fetch(input, init);
    set(false);
    return response;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    lost();
    throw new ConnectionLost();
  }
}

/** Reports a connection that was lost outside of `reach`. */
export function lost(): void {
  if (isLost) return;
  set(true);
  probeLater();
}

export function useIsLost(): boolean {
  return useSyncExternalStore(subscribe, () => isLost);
}

/** @param listener called when the service becomes unreachable, and when it can be reached again. */
export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const isServiceLost = () => isLost;

function probeLater(): void {
  setTimeout(() => void fetch(`${BASE}livez`).then(() => set(false), probeLater), PROBE_MS);
}

function set(now: boolean): void {
  if (isLost === now) return;
  isLost = now;
  for (const listener of listeners) listener();
}
