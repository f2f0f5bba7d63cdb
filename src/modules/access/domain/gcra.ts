import type { Rate, RateDecision } from './rate-limiter.js';

/**
 * The generic cell rate algorithm (ITU-T I.371, annex A): the state of a bucket is one number, the time
 * when it is full again. A request moves that time forward; it is refused if the bucket would then take
 * longer to fill than its full depth.
 *
 * Times are whole microseconds, so that rounding errors cannot cost a request.
 */

const SECOND_US = 1_000_000;

/** The time in which one request is refilled. */
export function intervalUs({ perSecond }: Rate): number {
  return Math.max(1, Math.round(SECOND_US / perSecond));
}

/** The time in which an empty bucket fills. */
export function depthUs(rate: Rate): number {
  return rate.burst * intervalUs(rate);
}

/** @param lackUs time until the bucket is full; increased by the cost when the request is allowed. */
export function spend(lackUs: number, rate: Rate, cost: number): { allowed: boolean; lackUs: number } {
  // A team that changes to a faster tier does not wait for the refill time of the slower one.
  const lack = Math.min(Math.max(lackUs, 0), depthUs(rate));
  // A request that is returned never fills the bucket beyond its depth.
  const after = Math.max(0, lack + cost * intervalUs(rate));
  return after <= depthUs(rate) ? { allowed: true, lackUs: after } : { allowed: false, lackUs: lack };
}

/** @param outcome the result of spending `cost`. */
export function decisionOf(
  { allowed, lackUs }: { allowed: boolean; lackUs: number },
  rate: Rate,
  cost: number,
): RateDecision {
  const thereUs = depthUs(rate) - lackUs;
  return {
    allowed,
    remaining: Math.floor(thereUs / intervalUs(rate)),
    retryAfterSeconds: allowed ? 0 : (cost * intervalUs(rate) - thereUs) / SECOND_US,
    resetAfterSeconds: lackUs / SECOND_US,
  };
}
