import { describe, expect, it } from '@jest/globals';
import { basisOf, bounceRate, calibrationOf, type AccuracyCounts } from './accuracy.js';

const counts = (delivered: number, bounced: number, bouncesOnly: number): AccuracyCounts => {
  return {
    reason: 'accepted_email',
    provider: null,
    verified: 100,
    complained: 0,
    delivered,
    bounced,
    bouncesOnly,
  };
};

describe('the share of bounces', () => {
  it.each([
    ['no outcomes', counts(0, 0, 0), null],
    ['bounces by the team itself', counts(2, 3, 3), 'bounces_only'],
    ['as many deliveries', counts(3, 3, 3), 'deliveries'],
    ['bounces by a source that reports deliveries', counts(0, 3, 0), 'deliveries'],
    ['few of them by another one', counts(2, 9, 3), 'bounces_only'],
    ['deliveries', counts(3, 0, 0), 'deliveries'],
  ] as const)('has its basis: %s', (_, row, basis) => {
    expect(basisOf(row)).toBe(basis);
    expect(bounceRate(row) === null).toBe(basis !== 'deliveries');
  });

  it('is compared with estimates only where it is known', () => {
    const bin = { tenth: 9, outcomes: 10, estimated: 9.5, delivered: 0, squaredError: 9 };
    const ofBounces = { ...bin, reason: 'accepted_email', provider: null } as const;
    const known = { ...ofBounces, provider: 'google', delivered: 9, squaredError: 1 };
    const rows = [counts(0, 10, 10), { ...counts(9, 1, 1), provider: 'google' }];
    expect(calibrationOf({ counts: rows, bins: [ofBounces] })).toEqual({
      outcomes: 0,
      brier: null,
      error: null,
    });
    expect(calibrationOf({ counts: rows, bins: [ofBounces, known] })).toEqual({
      outcomes: 10,
      brier: 0.1,
      error: expect.closeTo(0.05),
    });
  });
});
