import { describe, expect, it } from '@jest/globals';
import { wholeSeconds } from './durations.js';

describe('whole seconds', () => {
  it.each([
    [10, 10],
    [10.000000000000002, 10],
    [9.999999999999998, 10],
    [9.001, 10],
    [0, 1],
    [-3, 1],
  ])('of %d are %d: enough to wait, and at least one', (seconds, whole) => {
    expect(wholeSeconds(seconds)).toBe(whole);
  });
});
