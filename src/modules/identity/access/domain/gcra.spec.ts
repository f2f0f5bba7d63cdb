import { describe, expect, it } from '@jest/globals';
import { decisionOf, depthUs, intervalUs, consume } from './gcra.js';
import type { Rate } from './rate-limiter.js';

const FREE: Rate = { perSecond: 2, burst: 10 };
const SECOND_US = 1_000_000;

/** Spends at the given times (µs) and returns which requests were allowed. */
function allowedAt(moments: number[], rate: Rate): boolean[] {
  let fullAtUs = 0;
  return moments.map((nowUs) => {
    const outcome = consume(fullAtUs - nowUs, rate, 1);
    fullAtUs = nowUs + outcome.deficitUs;
    return outcome.allowed;
  });
}

describe('a bucket', () => {
  it.each([
    [2, 10],
    [3, 10],
    [7, 49],
    [1 / 3, 5],
    [100, 200],
  ])('of %d per second allows exactly %d at once', (perSecond, burst) => {
    const now = 1_763_600_000_123_457;
    const allowed = allowedAt(new Array<number>(burst + 5).fill(now), { perSecond, burst });
    expect(allowed.filter(Boolean)).toHaveLength(burst);
    expect(allowed.indexOf(false)).toBe(burst);
  });

  it('is refilled by one per interval, and not a microsecond sooner', () => {
    const emptied = new Array<number>(10).fill(0);
    const moments = [...emptied, 499_999, 500_000, 500_001, 999_999, 1_000_000];
    expect(allowedAt(moments, FREE).slice(10)).toEqual([false, true, false, false, true]);
  });

  it('never exceeds its burst after idle time', () => {
    const later = new Array<number>(12).fill(1_000_000 * SECOND_US);
    expect(allowedAt([0, ...later], FREE).filter(Boolean)).toHaveLength(11);
  });

  it('is not changed by a refused request', () => {
    const moments = [...new Array<number>(60).fill(0), 500_000];
    expect(allowedAt(moments, FREE).at(-1)).toBe(true);
  });

  it('of a slower tier delays the faster one no longer than its refill time', () => {
    const empty = depthUs(FREE);
    expect(consume(empty, { perSecond: 100, burst: 200 }, 1)).toEqual({
      allowed: false,
      deficitUs: 2 * SECOND_US,
    });
  });
});

describe('the decision', () => {
  it.each([
    ['nothing taken', 0, 0, { allowed: true, remaining: 10, retryAfterSeconds: 0, resetAfterSeconds: 0 }],
    ['the first', 0, 1, { allowed: true, remaining: 9, retryAfterSeconds: 0, resetAfterSeconds: 0.5 }],
    ['the last', 4_500_000, 1, { allowed: true, remaining: 0, retryAfterSeconds: 0, resetAfterSeconds: 5 }],
    [
      'one too many',
      4_800_000,
      1,
      { allowed: false, remaining: 0, retryAfterSeconds: 0.3, resetAfterSeconds: 4.8 },
    ],
    [
      'three where one is there',
      4_500_000,
      3,
      { allowed: false, remaining: 1, retryAfterSeconds: 1, resetAfterSeconds: 4.5 },
    ],
  ])('contains the remaining requests and the time to wait: %s', (_, deficitUs, cost, decision) => {
    expect(decisionOf(consume(deficitUs, FREE, cost), FREE, cost)).toEqual(decision);
  });

  it('the announced time suffices', () => {
    for (let deficitUs = 4_500_001; deficitUs <= 5_000_000; deficitUs += 12_345) {
      const { retryAfterSeconds } = decisionOf(consume(deficitUs, FREE, 1), FREE, 1);
      expect(consume(deficitUs - Math.ceil(retryAfterSeconds * SECOND_US), FREE, 1).allowed).toBe(true);
    }
  });
});

it('an interval is at least one microsecond', () => {
  expect(intervalUs({ perSecond: 1e9, burst: 1 })).toBe(1);
});
