import type { Checks, Reason, Status } from '../../../kernel/verdict.js';
import { STATUS_OF } from '../../../kernel/verdict.js';

/** What a status is worth by itself, 0–100: higher is safer to send to. */
const OF_STATUS: Readonly<Record<Status, number>> = {
  deliverable: 95,
  undeliverable: 0,
  unknown: 30,
  risky: 50,
};

/** Reasons that differ from their status. */
const OF_REASON: Partial<Readonly<Record<Reason, number>>> = {
  role: 95,
  inconclusive_provider: 60,
  mailbox_full: 40,
  disposable: 20,
  blocked_domain: 20,
};

const WITHOUT_CATCH_ALL_KNOWLEDGE = 80;
const LESS_FOR_ROLE = 10;
const LESS_FOR_NO_REPLY = 5;

/** The score of a verdict; docs/api.md shows the same table. */
export function score(reason: Reason, checks: Checks): number {
  const unproven = reason === 'accepted_email' && checks.catchAll === null;
  const worth = unproven ? WITHOUT_CATCH_ALL_KNOWLEDGE : (OF_REASON[reason] ?? OF_STATUS[STATUS_OF[reason]]);
  return Math.max(0, worth - (checks.role ? LESS_FOR_ROLE : 0) - (checks.noReply ? LESS_FOR_NO_REPLY : 0));
}
