import { describe, expect, it } from '@jest/globals';
import { nextRun, weekdayOf, type Interval, type Weekday } from './next-run.js';

/** A Saturday, the 31st. */
const DAY = new Date('2026-01-31T10:30:00Z');

const next = (every: Interval, hour: number, after: string, day = DAY) => {
  const timing = { every, hour, weekday: weekdayOf(day), dayOfMonth: day.getUTCDate() };
  return nextRun(timing, new Date(after)).toISOString().slice(0, 13);
};

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
  ])('every %s at %s after %s is %s', (every, hour, after, expected) => {
    expect(next(every, hour, after)).toBe(expected);
  });

  it.each<[string, string[]]>([
    ['2026-01-29T10:30:00Z', ['2026-02-28T03', '2026-03-29T03', '2026-04-29T03', '2026-05-29T03']],
    ['2026-01-30T10:30:00Z', ['2026-02-28T03', '2026-03-30T03', '2026-04-30T03', '2026-05-30T03']],
    ['2026-01-31T10:30:00Z', ['2026-02-28T03', '2026-03-31T03', '2026-04-30T03', '2026-05-31T03']],
    ['2028-01-30T10:30:00Z', ['2028-02-29T03', '2028-03-30T03', '2028-04-30T03', '2028-05-30T03']],
  ])(
    'every month, on the day of %s, is on that day or the last one, once in each month',
    (first, expected) => {
      const found: string[] = [];
      for (let after = first; found.length < expected.length; after = `${found.at(-1)}:00:00Z`)
        found.push(next('month', 3, after, new Date(first)));
      expect(found).toEqual(expected);
    },
  );

  it.each(['2026-03-28', '2026-10-24', '2026-03-07', '2026-10-31'])(
    'is an hour in UTC, which has no summer time, from %s on',
    (date) => {
      const after = new Date(`${date}T02:00:00Z`);
      for (let day = 1; day <= 3; day++) {
        const expected = new Date(after.getTime() + day * 86_400_000).toISOString().slice(0, 13);
        expect(next('day', 2, new Date(after.getTime() + (day - 1) * 86_400_000).toISOString())).toBe(
          expected,
        );
      }
    },
  );

  it.each<[Weekday, string]>([
    ['monday', '2026-02-02T03'],
    ['friday', '2026-02-06T03'],
    ['saturday', '2026-02-07T03'],
    ['sunday', '2026-02-01T03'],
  ])('every week on a %s is the first one after a Saturday morning', (weekday, expected) => {
    const timing = { every: 'week', hour: 3, weekday, dayOfMonth: 1 } as const;
    expect(nextRun(timing, DAY).toISOString().slice(0, 13)).toBe(expected);
  });

  it('is one, however long the service was down', () => {
    expect(next('day', 3, '2026-06-15T12:00:00Z')).toBe('2026-06-16T03');
  });
});
