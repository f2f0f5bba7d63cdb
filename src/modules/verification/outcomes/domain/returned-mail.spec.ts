import { describe, expect, it } from '@jest/globals';
import { needsAccepted, returnsMail, type AcceptedCount, type UnitCount } from './returned-mail.js';

const deliveries = (bounced: number, delivered: number): UnitCount => {
  return { outcomes: bounced + delivered, bounced, delivered, bouncesOnly: 0 };
};
const bounces = (bounced: number, delivered = 0): UnitCount => {
  return { outcomes: bounced + delivered, bounced, delivered, bouncesOnly: bounced };
};
const all = (bounced: number, accepted: number): AcceptedCount => ({ bounced, accepted });

describe('servers return mail that they accepted', () => {
  it.each([
    [3, 27, true],
    [3, 28, false],
    [2, 0, false],
    [3, 0, true],
  ])('with deliveries, if %i bounced and %i arrived: %s', (bounced, delivered, expected) => {
    expect(returnsMail(deliveries(bounced, delivered), null)).toBe(expected);
    expect(needsAccepted(deliveries(bounced, delivered))).toBe(false);
  });

  it.each([
    [3, 30, true],
    [3, 31, false],
    [3, 36, false],
    [2, 2, false],
    [80, 20_000, false],
  ])('by bounces alone, if %i of %i accepted addresses bounced: %s', (bounced, accepted, expected) => {
    expect(returnsMail(bounces(bounced), all(bounced, accepted))).toBe(expected);
    expect(needsAccepted(bounces(bounced))).toBe(bounced >= 3);
  });

  it('not by bounces alone of addresses that were not counted', () => {
    expect(returnsMail(bounces(3), null)).toBe(false);
    expect(returnsMail(bounces(30), all(2, 5))).toBe(false);
    expect(returnsMail(bounces(30), all(30, 5))).toBe(false);
  });

  it('by bounces alone as long as fewer deliveries than bounces were reported', () => {
    expect(returnsMail(bounces(5, 4), all(5, 100))).toBe(false);
    expect(returnsMail(bounces(5, 5), all(5, 100))).toBe(true);
  });
});
