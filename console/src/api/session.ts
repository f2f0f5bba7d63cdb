import { BASE } from './connection';
import { deleteLocalDatabase } from './local-database';
import { TabValue, useTabValue } from './tab-value';

const KEY = /^rcpt_(live|test)_[0-9A-Za-z]{38}$/;

const sessionKey = new TabValue('rcpt.key');
/** A key of the team's other mode, which the session can switch to. */
const otherKey = new TabValue('rcpt.other-key');
/** A tab that is asked by a new one answers within milliseconds. */
const ANSWER_MS = 100;

type TabMessage =
  | { isNew: true }
  | { key: string; other: string | null }
  | { ended: string }
  | { replaced: string; by: string; other: string | null };

/** The tabs of the console have one session: a new tab gets the key of another, and a session ends in all. */
const tabs = new BroadcastChannel(`rcpt.session ${BASE}`);
/** A tab with an invite is for a new user. */
let isJoining = false;
const send = (message: TabMessage) => tabs.postMessage(message);
tabs.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => {
  const key = currentKey();
  if ('isNew' in data && key !== null) send({ key, other: otherKey.get() });
  if ('key' in data && isJoining && key === null && isKey(data.key)) become(data.key, data.other);
  if ('ended' in data && data.ended === key) leave();
  if ('replaced' in data && data.replaced === key) become(data.by, data.other);
});
const endListeners = new Set<() => void>();
const switchListeners = new Set<() => void>();

/** The key of this tab; null: nobody is signed in. */
export const currentKey = sessionKey.get;

export function isKey(text: string): boolean {
  return KEY.test(text);
}

export const modeOf = (key: string | null) => (key?.startsWith('rcpt_test_') === true ? 'test' : 'live');

/** Another key is another session: the previous one ends. Tabs without one join it. */
export function signIn(key: string): void {
  const previous = currentKey();
  if (previous !== null && previous !== key) leave();
  sessionKey.set(key);
  send({ key, other: otherKey.get() });
}

/** Uses a key of the team's other mode from now on, in all tabs of the session, which keeps both. */
export function switchTo(key: string): void {
  replaceKey(key, currentKey());
}

/** The key is no longer valid. @returns whether the session ended; otherwise it goes on with the other key. */
export function dropKey(): boolean {
  const other = otherKey.get();
  if (other === null) endSession();
  else replaceKey(other, null);
  return other === null;
}

function replaceKey(by: string, other: string | null): void {
  const replaced = currentKey();
  become(by, other);
  if (replaced !== null) send({ replaced, by, other });
}

function become(key: string, other: string | null): void {
  for (const listener of switchListeners) listener();
  otherKey.set(other);
  sessionKey.set(key);
}

/** At the wish of the person: also deletes what the browser keeps from session to session. */
export function signOut(): void {
  endSession();
  deleteLocalDatabase();
}

/** Also in the other tabs of the session. */
function endSession(): void {
  const key = currentKey();
  leave();
  if (key !== null) send({ ended: key });
}

function leave(): void {
  for (const listener of endListeners) listener();
  otherKey.set(null);
  sessionKey.set(null);
}

/** Resolves when this tab has a session, or no other tab has answered. */
export async function joinSession(): Promise<void> {
  isJoining = true;
  if (currentKey() !== null) return;
  const answered = new Promise<void>((resolve) => {
    tabs.addEventListener('message', () => currentKey() !== null && resolve());
  });
  send({ isNew: true });
  await Promise.race([answered, new Promise((resolve) => setTimeout(resolve, ANSWER_MS))]);
}

export function useKey(): string | null {
  return useTabValue(sessionKey);
}

/** The key of the other mode; null: none is known. */
export function useOtherKey(): string | null {
  return useTabValue(otherKey);
}

/** @param listener deletes what belongs to the session, before the next one begins. */
export function onSessionEnd(listener: () => void): void {
  endListeners.add(listener);
}

/** @param listener deletes what belongs to the mode. */
export function onSwitch(listener: () => void): void {
  switchListeners.add(listener);
}

/** The tokens of links to the console. */
export interface LinkTokens {
  invite: string | null;
  signIn: string | null;
  /** A key other than that of this tab: its use must be confirmed, or a link could put a person into a foreign team. */
  otherKey: string | null;
  /** An address for the first field. It is not verified by itself: a link must cost nothing. */
  email: string | null;
}

/**
 * Reads `#key=…`, `#token=…` (of an invite), `#sign-in=…` or `#email=…`, and removes it from the address bar and
 * the history of the tab. The fragment is not sent to the service.
 */
export function takeFragment(): LinkTokens {
  // A plus sign is itself, as in the queries of the API.
  const given = new URLSearchParams(location.hash.slice(1).replaceAll('+', '%2B'));
  const [key, invite, link] = [given.get('key'), given.get('token'), given.get('sign-in')];
  const email = given.get('email');
  if ([key, invite, link, email].some((each) => each !== null))
    history.replaceState(history.state, '', location.pathname + location.search);
  const isGiven = key !== null && isKey(key);
  const isOther = isGiven && currentKey() !== null && currentKey() !== key;
  if (isGiven && !isOther) signIn(key);
  return { invite, signIn: link, otherKey: isOther ? key : null, email };
}
