import { useSyncExternalStore } from 'react';

/** Kept for the life of the tab, never in a URL or a cookie. */
const STORED = 'rcpt.key';
const KEY = /^rcpt_(live|test)_[0-9A-Za-z]{38}$/;

const listeners = new Set<() => void>();

/** The key of this tab; null: nobody is signed in. */
export function currentKey(): string | null {
  return sessionStorage.getItem(STORED);
}

export function isKey(text: string): boolean {
  return KEY.test(text);
}

export function signIn(key: string): void {
  sessionStorage.setItem(STORED, key);
  changed();
}

export function signOut(): void {
  sessionStorage.removeItem(STORED);
  changed();
}

export function useKey(): string | null {
  return useSyncExternalStore(subscribe, currentKey);
}

/**
 * Takes `#key=…` or `#token=…` out of the address bar and of the history of the tab. The fragment is not
 * sent to the service.
 *
 * @returns the token of an invite, if there is one.
 */
export function takeFragment(): string | null {
  const given = new URLSearchParams(location.hash.slice(1));
  const key = given.get('key');
  const token = given.get('token');
  if (key === null && token === null) return null;
  history.replaceState(history.state, '', location.pathname + location.search);
  if (key !== null && isKey(key)) signIn(key);
  return token;
}

/** A link to the console that was opened in a tab where the console runs already. */
addEventListener('hashchange', () => takeFragment());

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function changed(): void {
  for (const listener of listeners) listener();
}
