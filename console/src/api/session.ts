import { BASE } from './connection';
import { deleteLocalDatabase } from './local-database';
import { TabValue, useTabValue } from './tab-value';

const KEY = /^rcpt_(live|test)_[0-9A-Za-z]{38}$/;
const sessionKey = new TabValue('rcpt.key');
/** A key of the team's other mode, which the session can switch to. */
const otherKey = new TabValue('rcpt.other-key');
/** The other teams of the session, as JSON. */
const otherTeams = new TabValue('rcpt.teams');
/** A tab that is asked by a new one answers within milliseconds. */
const ANSWER_MS = 100;

export interface TeamName {
  id: string;
  name: string;
}

/** A team that the session can switch to, with its keys. */
export interface HeldTeam extends TeamName {
  key: string;
  other: string | null;
}

interface Session {
  /** null: none of its teams is chosen. */
  key: string | null;
  other: string | null;
  teams: readonly HeldTeam[];
}

/** `left`: one team has ended, and the person chooses another. */
type Change = 'mode' | 'team' | 'left';

type TabMessage =
  | { isNew: true }
  | { session: Session }
  | { ended: string | null }
  | { replaced: string | null; by: Session; change: Change };

/** The tabs of the console have one session: a new tab gets that of another, and a session ends in all. */
const tabs = new BroadcastChannel(`rcpt.session ${BASE}`);

const send = (message: TabMessage) => tabs.postMessage(message);
const session = (): Session => ({ key: currentKey(), other: otherKey.get(), teams: heldTeams() });
/** Nobody is signed in. */
export const isEmpty = () => currentKey() === null && heldTeams().length === 0;

tabs.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => {
  const key = currentKey();
  if ('isNew' in data && !isEmpty()) send({ session: session() });
  if ('session' in data && isEmpty()) become(data.session, 'mode');
  if ('ended' in data && data.ended === key) leave();
  if ('replaced' in data && data.replaced === key) become(data.by, data.change);
});

const endListeners = new Set<() => void>();
const switchListeners = new Set<(change: Change, teams: readonly TeamName[]) => void>();

/** The key of this tab; null: nobody is signed in. */
export const currentKey = sessionKey.get;

export function isKey(text: string): boolean {
  return KEY.test(text);
}

export const modeOf = (key: string | null) => (key?.startsWith('rcpt_test_') === true ? 'test' : 'live');

/** Another key is another session: the previous one ends. Without one, the other teams stay. Empty tabs join it. */
export function signIn(key: string): void {
  const previous = currentKey();
  if (previous !== null && previous !== key) leave();
  sessionKey.set(key);
  send({ session: session() });
}

/** Uses a key of the team's other mode from now on, in all tabs of the session, which keeps both. */
export function switchTo(key: string): void {
  replace({ ...session(), key, other: currentKey() }, 'mode');
}

/** Uses the key of a further team from now on, in all tabs. The session keeps those of `current`. */
export function addTeam(key: string, team: string, current: TeamName): void {
  replace({ key, other: null, teams: heldWith(current).filter(({ id }) => id !== team) }, 'team');
}

/** @param current the team of the key in use; null: none is chosen. */
export function switchTeam(id: string, current: TeamName | null): void {
  const next = heldTeams().find((team) => team.id === id);
  if (next === undefined) return;
  const teams = (current === null ? heldTeams() : heldWith(current)).filter((team) => team.id !== id);
  replace({ key: next.key, other: next.other, teams }, 'team');
}

/** Forgets the keys of the team in use, in all tabs. Nobody is put into another team without a choice. */
export function leaveTeam(): void {
  if (heldTeams().length === 0) endSession();
  else replace({ key: null, other: null, teams: heldTeams() }, 'left');
}

/** The key is no longer valid. @returns whether no key is in use; otherwise it goes on with the other mode. */
export function dropKey(): boolean {
  const other = otherKey.get();
  if (other === null) leaveTeam();
  else replace({ ...session(), key: other, other: null }, 'mode');
  return other === null;
}

function replace(by: Session, change: Change): void {
  const replaced = currentKey();
  become(by, change);
  send({ replaced, by, change });
}

function become({ key, other, teams }: Session, change: Change): void {
  for (const listener of switchListeners) listener(change, teams);
  otherTeams.set(teams.length === 0 ? null : JSON.stringify(teams));
  otherKey.set(other);
  sessionKey.set(key);
}

/** At the wish of the person, of all teams: also deletes what the browser keeps from session to session. */
export function signOut(): void {
  endSession();
  deleteLocalDatabase();
}

/** Also in the other tabs of the session. */
function endSession(): void {
  const ended = currentKey();
  leave();
  send({ ended });
}

function leave(): void {
  for (const listener of endListeners) listener();
  otherTeams.set(null);
  otherKey.set(null);
  sessionKey.set(null);
}

/** The other teams of the session. */
function heldTeams(): readonly HeldTeam[] {
  return parse(otherTeams.get());
}

/** With the team whose keys are in use. */
function heldWith(current: TeamName): readonly HeldTeam[] {
  const { key, other, teams } = session();
  const others = teams.filter(({ id }) => id !== current.id);
  return key === null ? others : [...others, { id: current.id, name: current.name, key, other }];
}

function parse(text: string | null): readonly HeldTeam[] {
  return text === null ? [] : (JSON.parse(text) as HeldTeam[]);
}

/** Resolves when this tab has a session, or no other tab has answered. */
export async function joinSession(): Promise<void> {
  if (!isEmpty()) return;
  const answered = new Promise<void>((resolve) => {
    tabs.addEventListener('message', () => !isEmpty() && resolve());
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

/** The other teams of the session, by name. @param current the id of the team in use. */
export function useOtherTeams(current?: string): readonly TeamName[] {
  return parse(useTabValue(otherTeams))
    .filter(({ id }) => id !== current)
    .sort((a, b) => a.name.localeCompare(b.name));
}

/** @param listener deletes what belongs to the session, before the next one begins. */
export function onSessionEnd(listener: () => void): void {
  endListeners.add(listener);
}

/** @param listener deletes what belongs to the mode or the team; gets the other teams of the session. */
export function onSwitch(listener: (change: Change, teams: readonly TeamName[]) => void): void {
  switchListeners.add(listener);
}

/** A live key of the session; null: it has none. */
export function liveKey(): string | null {
  const isLive = (key: string | null) => key !== null && modeOf(key) === 'live';
  return [currentKey(), otherKey.get()].find(isLive) ?? null;
}

/** What links to the console contain. */
export interface LinkTokens {
  confirm: string | null;
  invite: string | null;
  signIn: string | null;
  /** The id of the request of a program that wants to act for the team. */
  authorize: string | null;
  /** The code of a refusal of the identity provider. */
  refused: string | null;
  /** A key other than that of this tab: its use must be confirmed, because a link could put a person into a foreign team. */
  otherKey: string | null;
  /** An address for the first field. It is not verified by itself: a link must cost nothing. */
  email: string | null;
}

/**
 * Reads `#key=…`, `#confirm=…`, `#invite=…`, `#sign-in=…`, `#authorize=…`, `#refused=…` or `#email=…`, and removes it from the address
 * bar and the history of the tab. The fragment is not sent to the service.
 */
export function takeFragment(): LinkTokens {
  // A plus sign is itself, as in the queries of the API.
  const given = new URLSearchParams(location.hash.slice(1).replaceAll('+', '%2B'));
  const [key, email, confirm] = [given.get('key'), given.get('email'), given.get('confirm')];
  const [invite, link, refused] = [given.get('invite'), given.get('sign-in'), given.get('refused')];
  const authorize = given.get('authorize');
  if ([key, confirm, invite, link, authorize, refused, email].some((each) => each !== null))
    history.replaceState(history.state, '', location.pathname + location.search);
  const isGiven = key !== null && isKey(key);
  const isOther = isGiven && currentKey() !== key;
  if (isGiven && !isOther) signIn(key);
  return { confirm, invite, signIn: link, authorize, refused, otherKey: isOther ? key : null, email };
}
