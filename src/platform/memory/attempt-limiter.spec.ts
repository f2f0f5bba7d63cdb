import { describe, expect, it } from '@jest/globals';
import { AdjustableClock } from '../../../test/support/time/adjustable-clock.js';
import { AttemptLimiter } from './attempt-limiter.js';

const HOUR_MS = 3_600_000;

describe('AttemptLimiter', () => {
  it('accepts the maximum number of attempts of each key in a window', () => {
    const clock = new AdjustableClock();
    const attempts = new AttemptLimiter(clock, 3, HOUR_MS, 100);
    expect([attempts.consume('a'), attempts.consume('a'), attempts.consume('a')]).toEqual([0, 0, 0]);
    expect(attempts.consume('a')).toBeGreaterThan(HOUR_MS - 1_000);
    expect(attempts.consume('b')).toBe(0);
  });

  it('does not count rejected attempts: an accepted one expires after the window', () => {
    const clock = new AdjustableClock();
    const attempts = new AttemptLimiter(clock, 2, HOUR_MS, 100);
    attempts.consume('a');
    clock.advance(HOUR_MS / 2);
    attempts.consume('a');
    const wait = attempts.consume('a');
    expect(Math.round(wait / 1000)).toBe(1_800);
    clock.advance(wait);
    expect(attempts.consume('a')).toBe(0);
    expect(attempts.consume('a')).toBeGreaterThan(0);
  });

  it('does not count an attempt that was given back', () => {
    const attempts = new AttemptLimiter(new AdjustableClock(), 2, HOUR_MS, 100);
    attempts.consume('a');
    attempts.giveBack('a');
    expect([attempts.consume('a'), attempts.consume('a')]).toEqual([0, 0]);
    expect(attempts.consume('a')).toBeGreaterThan(0);
    attempts.giveBack('b');
    expect(attempts.consume('b')).toBe(0);
  });

  it('stores a bounded number of keys', () => {
    const attempts = new AttemptLimiter(new AdjustableClock(), 1, HOUR_MS, 2);
    attempts.consume('a');
    attempts.consume('b');
    attempts.consume('c');
    expect([attempts.consume('c') > 0, attempts.consume('b') > 0, attempts.consume('a') > 0]).toEqual([
      true,
      true,
      false,
    ]);
  });
});
