import { useSyncExternalStore } from 'react';

/** Stored as long as the tab is open, never in a URL or a cookie. */
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

/** The tokens of links to the console. */
export interface LinkTokens {
  invite: string | null;
  signIn: string | null;
  /** A key other than that of this tab: its use must be confirmed, or a link could put a person into a foreign team. */
  otherKey: string | null;
}

/**
 * Reads `#key=…`, `#token=…` (of an invite) or `#sign-in=…`, and removes it from the address bar and the
 * history of the tab. The fragment is not sent to the service.
 */
export function takeFragment(): LinkTokens {
  const given = new URLSearchParams(location.hash.slice(1));
  const [key, invite, link] = [given.get('key'), given.get('token'), given.get('sign-in')];
  if (key !== null || invite !== null || link !== null)
    history.replaceState(history.state, '', location.pathname + location.search);
  const isGiven = key !== null && isKey(key);
  const isOther = isGiven && currentKey() !== null && currentKey() !== key;
  if (isGiven && !isOther) signIn(key);
  return { invite, signIn: link, otherKey: isOther ? key : null };
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function changed(): void {
  for (const listener of listeners) listener();
}
