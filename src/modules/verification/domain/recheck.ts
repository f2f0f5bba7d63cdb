import type { KeyId, TeamId, UserId } from '../../../kernel/principal.js';
import type { Reason, Verdict } from '../../../kernel/verdict.js';

/** Answers that time may change: the address is deferred, and rechecked in the background. */
export const DEFERRED_REASONS: ReadonlySet<Reason> = new Set(['greylisted', 'sender_blocked']);

/** When, in minutes after the first answer. */
const RECHECKED_AFTER_MIN = [5, 15, 60];
const MINUTE_MS = 60_000;

/** An address of a list whose answer is deferred. */
export interface DeferredRow {
  hash: Buffer;
  email: string;
  /** How often it stands in the list. */
  rows: number;
  verdict: Verdict;
}

/** A check whose final answer is yet to come: one for each team and address, or each list and address. */
export interface Recheck {
  id: string;
  teamId: TeamId;
  /** The list whose row it is; null: a single check. */
  list: string | null;
  hash: Buffer;
  rows: number;
  /** As the caller spelled it; null: it cannot be decrypted any more. */
  email: string | null;
  /** The latest answer; null: not kept, or it cannot be decrypted any more. */
  verdict: Verdict | null;
  /** Why it was deferred, the first time. */
  reason: Reason;
  /** Who is charged for a single check; null: a row of a list. */
  keyId: KeyId | null;
  userId: UserId | null;
  firstAskedAt: Date;
  /** Rechecks that brought an answer. */
  attempts: number;
}

/** A recheck that one worker holds; only the lease permits to record what came of it. */
export interface ClaimedRecheck extends Recheck {
  lease: string;
  /** Claims since the last answer, this one included. */
  claims: number;
}

/** When the next recheck is due; null: that was the last. */
export function nextRecheck({
  firstAskedAt,
  attempts,
}: Pick<Recheck, 'firstAskedAt' | 'attempts'>): Date | null {
  const minutes = RECHECKED_AFTER_MIN[attempts];
  return minutes === undefined ? null : new Date(firstAskedAt.getTime() + minutes * MINUTE_MS);
}
