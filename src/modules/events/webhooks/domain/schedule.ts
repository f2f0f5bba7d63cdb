import type { Outcome, DeliveryStep } from './delivery.js';

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Seconds between attempts; after the last there is no further attempt. */
export const PAUSES = [5, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR];
export const MAX_ATTEMPTS = PAUSES.length + 1;

/** Spreads the retries of deliveries that failed at the same time. */
const JITTER = 0.2;
/** `Retry-After` can lengthen a pause up to this factor. */
const MAX_PAUSE_FACTOR = 2;

/**
 * When to retry; null: no attempts are left.
 *
 * @param tries attempts so far, including the failed one.
 * @param retryAfter seconds requested by the receiver; null: none.
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
  const requested = Math.min(retryAfter ?? 0, MAX_PAUSE_FACTOR * pause);
  return new Date(now.getTime() + Math.round(1000 * Math.max(planned, requested)));
}

/** The next state of a delivery after this attempt. @param tries attempts so far, including this one. */
export function stepAfter(tries: number, outcome: Outcome, now: Date, chance: number): DeliveryStep {
  if (outcome.error === null) return { status: 'succeeded', tries, dueAt: null };
  const dueAt = isFinal(outcome) ? null : nextAttempt(tries, now, outcome.retryAfter, chance);
  return { status: dueAt === null ? 'failed' : 'pending', tries, dueAt };
}

/** The receiver has responded with 410 Gone, which is permanent (RFC 9110 §15.5.11). */
export function isGone({ statusCode }: Outcome): boolean {
  return statusCode === 410;
}

function isFinal(outcome: Outcome): boolean {
  return isGone(outcome) || outcome.error === 'content_erased';
}
