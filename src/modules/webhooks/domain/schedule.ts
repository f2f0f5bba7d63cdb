import type { Outcome, Step } from './delivery.js';

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Seconds from one attempt to the next; after the last there is none. */
export const PAUSES = [5, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR];
export const MOST_TRIES = PAUSES.length + 1;

/** So that what failed at one moment does not come back at one moment. */
const JITTER = 0.2;
/** How much longer than planned a receiver may have us wait. */
const MOST_PATIENCE = 2;

/**
 * When it is tried again; null: it was tried often enough.
 *
 * @param tries attempts so far, the one that has just failed included.
 * @param retryAfter seconds that the receiver asked for; null: it did not.
 * @param chance 0 to 1.
 */
export function nextAttempt(
  tries: number,
  now: Date,
  retryAfter: number | null,
  chance: number,
): Date | null {
  const pause = PAUSES[tries - 1];
  if (pause === undefined) return null;
  const planned = pause * (1 - JITTER + 2 * JITTER * chance);
  const asked = Math.min(retryAfter ?? 0, MOST_PATIENCE * pause);
  return new Date(now.getTime() + Math.round(1000 * Math.max(planned, asked)));
}

/** What becomes of a delivery after this attempt. @param tries attempts so far, this one included. */
export function stepAfter(tries: number, outcome: Outcome, now: Date, chance: number): Step {
  if (outcome.error === null) return { status: 'succeeded', tries, dueAt: null };
  const dueAt = isFinal(outcome) ? null : nextAttempt(tries, now, outcome.retryAfter, chance);
  return { status: dueAt === null ? 'failed' : 'pending', tries, dueAt };
}

/** The receiver has said that it is gone, for good (RFC 9110 §15.5.11). */
export function isGone({ statusCode }: Outcome): boolean {
  return statusCode === 410;
}

function isFinal(outcome: Outcome): boolean {
  return isGone(outcome) || outcome.error === 'content_erased';
}
