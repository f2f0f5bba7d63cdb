import { OUTCOME_KINDS, type OutcomeKind } from '../../../../kernel/outcomes.js';
import type { IgnoredReport, ReportEntry } from '../../../../kernel/outcome-report.js';

/** Members of an outcome, as they are sent. */
const MEMBERS = ['email', 'outcome', 'at', 'reply', 'code', 'enhanced_code', 'message_id'] as const;
type Member = (typeof MEMBERS)[number];
export const OUTCOME_MEMBERS: readonly string[] = MEMBERS;

/** RFC 3339. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/i;
const MAX = { email: 1_000, reply: 1_000, messageId: 200 };

/** Validates an entry of JSON or NDJSON. */
export function readEntry(value: unknown): ReportEntry {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return ignored('invalid_type', 'An outcome is an object with email and outcome.');
  const unknown = Object.keys(value).find((name) => !OUTCOME_MEMBERS.includes(name));
  if (unknown !== undefined) return ignored('unknown_member', `An outcome has ${MEMBERS.join(', ')}.`);
  return read(value);
}

/** Validates a row of a CSV: empty cells are missing members, and other columns are ignored. */
export function readRow(row: Readonly<Record<string, string>>): ReportEntry {
  const given = MEMBERS.map((name) => [name, row[name]?.trim() ?? ''] as const).filter(
    ([, cell]) => cell !== '',
  );
  const members: Partial<Record<Member, unknown>> = Object.fromEntries(given);
  if (typeof members.code === 'string') members.code = Number(members.code);
  if (typeof members.outcome === 'string') members.outcome = members.outcome.toLowerCase();
  return read(members);
}

function read({
  email,
  outcome,
  at = null,
  reply = null,
  code = null,
  enhanced_code: enhancedCode = null,
  message_id: messageId = null,
}: Partial<Record<Member, unknown>>): ReportEntry {
  if (!isText(email, MAX.email)) return ignored('invalid_email', 'email is no address.');
  if (!isKind(outcome)) return ignored('invalid_outcome', `outcome is one of ${OUTCOME_KINDS.join(', ')}.`);
  const time = timeOf(at);
  if (time === undefined) return ignored('invalid_at', 'at is a time like 2026-01-31T12:00:00Z.');
  if (reply !== null && !isText(reply, MAX.reply))
    return ignored('invalid_reply', `reply is a text of at most ${MAX.reply} characters.`);
  if (code !== null && !isCode(code)) return ignored('invalid_code', 'code is a number from 200 to 599.');
  if (enhancedCode !== null && !isEnhancedCode(enhancedCode))
    return ignored('invalid_enhanced_code', 'enhanced_code is a code like 5.1.1.');
  if (messageId !== null && !isText(messageId, MAX.messageId))
    return ignored('invalid_message_id', `message_id is a text of at most ${MAX.messageId} characters.`);
  return { email, outcome, at: time, reply, code, enhancedCode, messageId };
}

function isKind(value: unknown): value is OutcomeKind {
  return OUTCOME_KINDS.includes(value as OutcomeKind);
}

function isText(value: unknown, max: number): value is string {
  return typeof value === 'string' && value.length <= max;
}

function isCode(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 200 && (value as number) <= 599;
}

function isEnhancedCode(value: unknown): value is string {
  return typeof value === 'string' && /^[245]\.\d{1,3}\.\d{1,3}$/.test(value);
}

/** undefined: no time. */
function timeOf(value: unknown): Date | null | undefined {
  if (value === null) return null;
  if (typeof value !== 'string' || !TIME.test(value)) return undefined;
  const time = new Date(value);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

function ignored(code: string, message: string): IgnoredReport {
  return { code, message };
}
