import type { ListId } from '../../../../kernel/ids.js';
import type { KeyId, TeamId, UserId } from '../../../../kernel/principal.js';
import type { Reason, Verdict } from '../../../../kernel/verdict.js';
import { MINUTE_MS } from '../../../../kernel/durations.js';

/** Times of the rechecks, in minutes after the first verdict. */
const RECHECKED_AFTER_MIN = [5, 15, 60];
export const FIRST_RECHECK_SECONDS = 60 * RECHECKED_AFTER_MIN[0]!;

/** An address of a list whose verdict is deferred. */
export interface DeferredRow {
  addressKey: Buffer;
  email: string;
  /** The number of rows with this address. */
  rows: number;
  verdict: Verdict;
}

/** A check whose final verdict is pending: one for each team and address, or each list and address. */
export interface Recheck {
  id: string;
  teamId: TeamId;
  /** The list whose row it is; null: a single check. */
  listId: ListId | null;
  /** Of a row: its `addressKey`, which ends with the hash. */
  addressHash: Buffer;
  rows: number;
  /** As submitted; null: it cannot be decrypted any more. */
  email: string | null;
  /** The latest verdict; null: not stored, or it cannot be decrypted any more. */
  verdict: Verdict | null;
  /** The reason of the first verdict. */
  reason: Reason;
  /** The key that is charged for a single check; null: a row of a list. */
  keyId: KeyId | null;
  userId: UserId | null;
  /** Whether the key is publishable. */
  publishable: boolean;
  firstRequestedAt: Date;
  /** Rechecks that gave a verdict. */
  attempts: number;
}

/** A recheck claimed by a worker; only the holder of the lease may record its result. */
export interface ClaimedRecheck extends Recheck {
  lease: string;
  /** Claims since the last verdict, including this one. */
  claims: number;
}

/** When the recheck after so many is due; null: there is none. */
export function nextRecheck(firstRequestedAt: Date, attempts: number): Date | null {
  const minutes = RECHECKED_AFTER_MIN[attempts];
  return minutes === undefined ? null : new Date(firstRequestedAt.getTime() + minutes * MINUTE_MS);
}
