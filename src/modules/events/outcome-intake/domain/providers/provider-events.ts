import type { IgnoredReport, OutcomeReport, ReportEntry } from '../../../../../kernel/outcome-report.js';
import type { OutcomeKind } from '../../../../../kernel/outcomes.js';
import { TooManyOutcomes } from '../outcome-intake.errors.js';
import { isComplaint } from '../reports/complaint.js';
import { mailboxIn } from '../reports/mailbox.js';
import { typedValue } from '../reports/report-fields.js';

export interface ProviderRequest {
  /** Names in lower case. */
  header: (name: string) => string | undefined;
  body: Buffer;
  /** The URL of the source, as the team was told it. */
  url: string;
}

/** An event that decides nothing, or is not known. */
export const NOT_AN_OUTCOME: IgnoredReport = { code: 'unknown_event', message: 'The event is no outcome.' };

export type Json = Readonly<Record<string, unknown>>;

export function objectIn(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

/** More than a provider sends in a request of 1 MB. */
const MAX_EVENTS = 10_000;

/** @throws TooManyOutcomes */
export function listIn(value: unknown): readonly unknown[] {
  return notTooMany(Array.isArray(value) ? (value as readonly unknown[]) : []);
}

/** @throws TooManyOutcomes */
export function notTooMany<List extends readonly unknown[]>(list: List): List {
  if (list.length > MAX_EVENTS) throw new TooManyOutcomes(MAX_EVENTS);
  return list;
}

/** A list, or the one value in its place. @throws TooManyOutcomes */
export function oneOrMoreIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? listIn(value) : [value];
}

const MAX_TEXT = 1_000;

export function textIn(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.slice(0, MAX_TEXT) : null;
}

/** A text or a number as a text; others are none, and lists are not written out. */
export function wordIn(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, MAX_TEXT) : '';
}

/** A time of RFC 3339, or seconds since 1970. */
export function timeIn(value: unknown): Date | null {
  const seconds =
    typeof value === 'number' ? value : /^\d{9,11}(\.\d+)?$/.test(wordIn(value)) ? Number(value) : null;
  const time = seconds === null ? new Date(textIn(value) ?? '') : new Date(seconds * 1_000);
  return Number.isNaN(time.getTime()) ? null : time;
}

export function codeIn(value: unknown): number | null {
  const code = Number(wordIn(value) || NaN);
  return Number.isInteger(code) && code >= 200 && code <= 599 ? code : null;
}

export function enhancedCodeIn(value: unknown): string | null {
  const text = textIn(value)?.trim() ?? '';
  return /^[245]\.\d{1,3}\.\d{1,3}$/.test(text) ? text : null;
}

export function kindOf(names: Readonly<Record<string, OutcomeKind>>, name: unknown): OutcomeKind | undefined {
  return typeof name === 'string' && Object.hasOwn(names, name) ? names[name] : undefined;
}

/** A diagnostic with or without its type: `smtp; 550 5.1.1 …`. */
export function diagnosticIn(value: unknown): string | null {
  return typedValue(textIn(value) ?? undefined)?.value ?? null;
}

/** Whether a feedback report that was passed on is about something else. Many have no type. */
export function isNoComplaint(type: unknown): boolean {
  const text = textIn(type);
  return text !== null && !isComplaint(text);
}

/** What an event states besides its kind and its recipient; most count for a bounce only. */
interface EventDetails extends Pick<
  OutcomeReport,
  | 'at'
  | 'messageId'
  | 'reply'
  | 'code'
  | 'enhancedCode'
  | 'remoteHost'
  | 'category'
  | 'neverHard'
  | 'isSentOnly'
> {
  /** `reply` is a sentence of the provider, whatever code it begins with. */
  isOwnSentence?: boolean;
}

/** @param outcome undefined: the event decides nothing, or is not known. */
export function eventOf(
  outcome: OutcomeKind | undefined,
  email: unknown,
  { at, messageId, isSentOnly, ...said }: EventDetails,
): ReportEntry {
  if (outcome === undefined) return NOT_AN_OUTCOME;
  const written = textIn(email);
  if (written === null) return { code: 'no_recipient', message: 'The event names no recipient.' };
  // Some providers name the recipient as the sender wrote it.
  const report: OutcomeReport = { outcome, email: mailboxIn(written) ?? written, at, messageId };
  if (outcome === 'delivered') return isSentOnly === undefined ? report : { ...report, isSentOnly };
  if (outcome !== 'bounced') return report;
  const { reply, code, enhancedCode, remoteHost, neverHard, category = null } = said;
  const bounce = { ...report, remoteHost, neverHard, category };
  // Codes without a reply are those of the source.
  if (!reply) return bounce;
  return said.isOwnSentence === true
    ? { ...bounce, statement: reply }
    : { ...bounce, reply, code, enhancedCode };
}
