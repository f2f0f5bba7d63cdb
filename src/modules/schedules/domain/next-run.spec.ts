import { describe, expect, it } from '@jest/globals';
import { nextRun, type Interval } from './next-run.js';

/** A Saturday, the 31st. */
const CREATED = new Date('2026-01-31T10:30:00Z');

const next = (every: Interval, atHour: number, after: string) =>
  nextRun({ every, atHour, createdAt: CREATED }, new Date(after)).toISOString().slice(0, 13);

describe('the next run of a schedule', () => {
  it.each<[Interval, number, string, string]>([
    ['day', 3, '2026-01-31T02:59:59Z', '2026-01-31T03'],
    ['day', 3, '2026-01-31T03:00:00Z', '2026-02-01T03'],
    ['day', 0, '2026-12-31T23:59:00Z', '2027-01-01T00'],
    ['week', 3, '2026-01-31T10:30:00Z', '2026-02-07T03'],
    ['week', 11, '2026-01-31T10:30:00Z', '2026-01-31T11'],
    ['week', 3, '2026-02-03T00:00:00Z', '2026-02-07T03'],
    ['week', 3, '2026-02-08T00:00:00Z', '2026-02-14T03'],
    ['month', 11, '2026-01-31T10:30:00Z', '2026-01-31T11'],
    ['month', 3, '2026-01-31T10:30:00Z', '2026-02-28T03'],
    ['month', 3, '2026-02-28T03:00:00Z', '2026-03-31T03'],
    ['month', 3, '2026-12-31T03:00:00Z', '2027-01-31T03'],
    ['month', 3, '2028-02-01T00:00:00Z', '2028-02-29T03'],
  ])('every %s at %s after %s is %s', (every, atHour, after, expected) => {
    expect(next(every, atHour, after)).toBe(expected);
  });

  it('is one, however long the service was down', () => {
    expect(next('day', 3, '2026-06-15T12:00:00Z')).toBe('2026-06-16T03');
  });
});
