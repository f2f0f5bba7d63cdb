import type { Rate, RateDecision } from './rate-limiter.js';

/**
 * The generic cell rate algorithm (ITU-T I.371, annex A): a bucket is one number,
 * the moment when it will be full again. Taking from it pushes that moment away;
 * a request that would push it further than a whole bucket takes to fill is refused.
 *
 * Counted in whole microseconds, so that ten requests of a bucket of ten are never
 * nine because of a rounding error.
 */

const SECOND_US = 1_000_000;

/** What one request takes: the time in which the bucket gets it back. */
export function intervalUs({ perSecond }: Rate): number {
  return Math.max(1, Math.round(SECOND_US / perSecond));
}

/** The time in which an empty bucket is full. */
export function depthUs(rate: Rate): number {
  return rate.burst * intervalUs(rate);
}

/** @param lackUs time until the bucket is full; it grows by what was taken, when that was there. */
export function spend(lackUs: number, rate: Rate, cost: number): { allowed: boolean; lackUs: number } {
  // A team that rises to a faster tier does not pay off what it owed to the slow one.
  const lack = Math.min(Math.max(lackUs, 0), depthUs(rate));
  const after = lack + cost * intervalUs(rate);
  return after <= depthUs(rate) ? { allowed: true, lackUs: after } : { allowed: false, lackUs: lack };
}

/** @param outcome of spending `cost`. */
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
