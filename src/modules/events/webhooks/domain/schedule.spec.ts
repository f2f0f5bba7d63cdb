import { describe, expect, it } from '@jest/globals';
import type { Outcome } from './delivery.js';
import { MAX_ATTEMPTS, nextAttempt, PAUSES, stepAfter } from './schedule.js';

const NOW = new Date('2030-01-01T00:00:00.000Z');
const seconds = (at: Date | null) => at && (at.getTime() - NOW.getTime()) / 1000;
const outcome: Outcome = {
  statusCode: 500,
  durationMs: 1,
  error: 'http_status',
  excerpt: null,
  retryAfter: null,
};

describe('the next attempt', () => {
  it('follows the documented pauses, 8 attempts in all', () => {
    expect(PAUSES).toEqual([5, 300, 1_800, 7_200, 18_000, 36_000, 36_000]);
    const planned = PAUSES.map((_, n) => seconds(nextAttempt(n + 1, NOW, null, 0.5)));
    expect(planned).toEqual(PAUSES);
    expect(nextAttempt(MAX_ATTEMPTS, NOW, null, 0.5)).toBeNull();
    expect(nextAttempt(MAX_ATTEMPTS, NOW, 60, 0.5)).toBeNull();
  });

  it('is at most 20 % earlier or later', () => {
    expect(seconds(nextAttempt(2, NOW, null, 0))).toBe(240);
    expect(seconds(nextAttempt(2, NOW, null, 1))).toBe(360);
  });

  it.each([
    [0, 300],
    [299, 300],
    [450, 450],
    [600, 600],
    [601, 600],
    [86_400, 600],
  ])(
    'requested in %d s is in %d: no earlier than planned, and at most twice the pause',
    (asked, expected) => {
      expect(seconds(nextAttempt(2, NOW, asked, 0.5))).toBe(expected);
    },
  );
});

describe('the next state of a delivery', () => {
  it.each<[string, Partial<Outcome>, number, string]>([
    ['that arrived', { statusCode: 204, error: null }, 1, 'succeeded'],
    ['that failed', {}, 1, 'pending'],
    ['that failed for the last time', {}, MAX_ATTEMPTS, 'failed'],
    ['whose receiver is gone', { statusCode: 410 }, 1, 'failed'],
    ['whose content was erased', { statusCode: null, error: 'content_erased' }, 1, 'failed'],
    ['whose secret cannot be read', { statusCode: null, error: 'secret_unreadable' }, 1, 'pending'],
  ])('%s', (_, change, tries, status) => {
    const step = stepAfter(tries, { ...outcome, ...change }, NOW, 0.5);
    expect([step.status, step.dueAt !== null]).toEqual([status, status === 'pending']);
  });
});
