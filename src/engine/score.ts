import { type Checks, type Reason, REASON_TABLE } from '../kernel/verdict.js';

const CATCH_ALL_UNKNOWN_SCORE = 80;
const ROLE_PENALTY = 10;
const NO_REPLY_PENALTY = 5;

/** The score of a verdict; docs/api.md has the same table. */
export function score(reason: Reason, checks: Checks): number {
  const unproven = reason === 'accepted_email' && checks.catchAll === null;
  const base = unproven ? CATCH_ALL_UNKNOWN_SCORE : REASON_TABLE[reason].score;
  return Math.max(0, base - (checks.role ? ROLE_PENALTY : 0) - (checks.noReply ? NO_REPLY_PENALTY : 0));
}
