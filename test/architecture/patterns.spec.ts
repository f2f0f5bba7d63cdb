import { describe, expect, it } from '@jest/globals';
import { hostileTexts } from '../support/architecture/hostile-texts.js';
import { patternsForUntrustedText } from '../support/architecture/patterns.js';
import { StepCounter, TooManySteps } from '../support/architecture/regexp-steps.js';

const LENGTH = 100;
const TIMES = 4;
/** Linear time is 4; from one length to four times that, quadratic time is 16. */
const MAX_GROWTH = 6;
/** Limit per character: more than any pattern needs, and reached early in exponential time. */
const MAX_STEPS = 1_000;

/** Whether a generated text of four times the length takes more than six times the steps. */
function isSuperlinear(pattern: RegExp): boolean {
  try {
    const steps = maxSteps(pattern, LENGTH, MAX_STEPS * LENGTH);
    maxSteps(pattern, TIMES * LENGTH, MAX_GROWTH * Math.max(steps, LENGTH));
    return false;
  } catch (error) {
    if (error instanceof TooManySteps) return true;
    throw error;
  }
}

function maxSteps(pattern: RegExp, length: number, limit: number): number {
  const counter = new StepCounter(pattern);
  return Math.max(0, ...hostileTexts(pattern, length).map((text) => counter.count(text, limit)));
}

describe('a pattern that matches untrusted text', () => {
  it('takes at most linear time', async () => {
    const patterns = await patternsForUntrustedText();
    expect(patterns.length).toBeGreaterThan(150);
    const slow = patterns.filter(({ pattern }) => isSuperlinear(pattern));
    expect(slow.map(({ where, pattern }) => `${where} ${pattern}`)).toEqual([]);
  });

  it.each([
    ['an unanchored repetition', /\r+$/],
    ['a repetition after a word', /exceed\w* .{0,40}quota/],
    ['two adjacent repetitions', /^a*[ab]*c/],
    ['a nested repetition', /^(?:a|aa)+$/],
    ['a repetition after a lookbehind', /(?<=x)\w+y/],
    ['overlapping alternatives in a repetition', /\b(?:user|address)(?:[ :]+(?:is|address))*[ :]+unknown/],
    ['a repetition before a placeholder', /[<([]*\0/g],
  ])('is rejected if it has %s', (_, pattern) => expect(isSuperlinear(pattern)).toBe(true));

  it.each([/^(?!.*<>).*<us>/s, /\bip\b.{0,60}\b(?:block|list)/, /^[a-z]+(?:\.[a-z]+)*$/, / {2,}/g])(
    'is accepted: %s',
    (pattern) => expect(isSuperlinear(pattern)).toBe(false),
  );
});
