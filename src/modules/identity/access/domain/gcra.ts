import type { Rate, RateDecision } from './rate-limiter.js';

/**
 * The generic cell rate algorithm (ITU-T I.371, annex A): the state of a bucket is one number, the time
 * when it is full again. A request moves that time forward; it is refused if the bucket would then take
 * longer to fill than its full depth.
 *
 * Times are whole microseconds, so that rounding errors cannot cost a request.
 */

const SECOND_US = 1_000_000;

export function intervalUs({ perSecond }: Rate): number {
  return Math.max(1, Math.round(SECOND_US / perSecond));
}

export function depthUs(rate: Rate): number {
  return rate.burst * intervalUs(rate);
}

/** @param deficitUs time until the bucket is full; increased by the cost when the request is allowed. */
export function consume(
  deficitUs: number,
  rate: Rate,
  cost: number,
): { allowed: boolean; deficitUs: number } {
  // A team that changes to a faster tier does not wait for the refill time of the slower one.
  const deficit = Math.min(Math.max(deficitUs, 0), depthUs(rate));
  // A request that is returned never fills the bucket beyond its depth.
  const after = Math.max(0, deficit + cost * intervalUs(rate));
  return after <= depthUs(rate)
    ? { allowed: true, deficitUs: after }
    : { allowed: false, deficitUs: deficit };
}

/** @param outcome the result of consuming `cost`. */
export function decisionOf(
  { allowed, deficitUs }: { allowed: boolean; deficitUs: number },
  rate: Rate,
  cost: number,
): RateDecision {
  const availableUs = depthUs(rate) - deficitUs;
  return {
    allowed,
    remaining: Math.floor(availableUs / intervalUs(rate)),
    retryAfterSeconds: allowed ? 0 : (cost * intervalUs(rate) - availableUs) / SECOND_US,
    resetAfterSeconds: deficitUs / SECOND_US,
  };
}
