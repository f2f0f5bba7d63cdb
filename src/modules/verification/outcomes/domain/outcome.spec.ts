import { describe, expect, it } from '@jest/globals';
import { historyOf, type StoredOutcome } from './outcome.js';

const NOW = new Date('2026-11-20T12:00:00Z');
const ago = (days: number) => new Date(NOW.getTime() - days * 86_400_000);
const reply = { code: null, enhancedCode: null, text: null };
const bounce = (days: number, isComplete = false): StoredOutcome => {
  return { kind: 'bounced', at: ago(days), isHard: true, isComplete, ...reply };
};
const receipt = (days: number, kind: 'delivered' | 'complained' = 'delivered'): StoredOutcome => {
  return { kind, at: ago(days), isHard: false, isComplete: false, ...reply };
};

describe('the share of an address', () => {
  it.each([
    ['a delivery', [receipt(1)], true],
    ['a complaint', [receipt(1, 'complained')], true],
    ['a delivery after a bounce', [bounce(2), receipt(1)], true],
    ['a bounce after a delivery', [receipt(2), bounce(1)], false],
    ['a bounce alone', [bounce(1)], null],
    ['a bounce of a source that reports deliveries', [bounce(1, true)], false],
    ['a delivery of 91 days ago', [receipt(91)], null],
    ['a bounce of 91 days ago', [bounce(91, true)], null],
    ['a bounce alone since a delivery of 91 days ago', [receipt(91), bounce(1)], null],
  ])('is known by %s: %s', (_, outcomes, isReceiving) => {
    expect(historyOf(outcomes, NOW)?.isReceiving).toBe(isReceiving);
  });

  it('is no matter for the verdict: a bounce decides for 180 days', () => {
    expect(historyOf([bounce(179)], NOW)?.bouncedAt).toEqual(ago(179));
    expect(historyOf([bounce(181)], NOW)?.bouncedAt).toBeNull();
  });
});
