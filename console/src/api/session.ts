import { BASE } from './connection';
import { TabValue, useTabValue } from './tab-value';

const KEY = /^rcpt_(live|test)_[0-9A-Za-z]{38}$/;

const sessionKey = new TabValue('rcpt.key');
/** A tab that is asked by a new one answers within milliseconds. */
const ANSWER_MS = 100;

type TabMessage = { isNew: true } | { key: string } | { ended: string };

/** The tabs of the console have one session: a new tab gets the key of another, and a session ends in all. */
const tabs = new BroadcastChannel(`rcpt.session ${BASE}`);
/** A tab with an invite is for a new user. */
let isJoining = false;
const send = (message: TabMessage) => tabs.postMessage(message);
tabs.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => {
  const key = currentKey();
  if ('isNew' in data && key !== null) send({ key });
  if ('key' in data && isJoining && key === null && isKey(data.key)) sessionKey.set(data.key);
  if ('ended' in data && data.ended === key) leave();
});
const endListeners = new Set<() => void>();

/** The key of this tab; null: nobody is signed in. */
export const currentKey = sessionKey.get;

export function isKey(text: string): boolean {
  return KEY.test(text);
}

export const modeOf = (key: string | null) => (key?.startsWith('rcpt_test_') === true ? 'test' : 'live');

/** Another key is another session: the previous one ends. Tabs without one join it. */
export function signIn(key: string): void {
  if (currentKey() !== key) end();
  sessionKey.set(key);
  send({ key });
}

/** Also in the other tabs of the session. */
export function signOut(): void {
  const key = currentKey();
  leave();
  if (key !== null) send({ ended: key });
}

function leave(): void {
  end();
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

/** @param listener deletes what belongs to the session, before the next one begins. */
export function onSessionEnd(listener: () => void): void {
  endListeners.add(listener);
}

function end(): void {
  for (const listener of endListeners) listener();
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
