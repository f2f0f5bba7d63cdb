import { describe, expect, it } from '@jest/globals';
import { hostileTexts } from '../support/hostile-texts.js';
import { patternsForForeignText } from '../support/patterns.js';
import { StepCounter, TooManySteps } from '../support/regexp-steps.js';

const LENGTH = 100;
const TIMES = 4;
/** Linear time is 4; from one length to four times that, quadratic time is 16. */
const MOST_GROWTH = 6;
/** For each character: more than any pattern needs here, and soon reached in exponential time. */
const MOST_STEPS = 1_000;

/** Whether a text four times as long may take more than six times the steps, of those made up against the pattern. */
function isSuperlinear(pattern: RegExp): boolean {
  try {
    const most = mostSteps(pattern, LENGTH, MOST_STEPS * LENGTH);
    mostSteps(pattern, TIMES * LENGTH, MOST_GROWTH * Math.max(most, LENGTH));
    return false;
  } catch (error) {
    if (error instanceof TooManySteps) return true;
    throw error;
  }
}

function mostSteps(pattern: RegExp, length: number, most: number): number {
  const counter = new StepCounter(pattern);
  return Math.max(0, ...hostileTexts(pattern, length).map((text) => counter.count(text, most)));
}

describe('a pattern that reads foreign text', () => {
  it('takes time in proportion to the text at most, whatever the text is', async () => {
    const patterns = await patternsForForeignText();
    expect(patterns.length).toBeGreaterThan(150);
    const slow = patterns.filter(({ pattern }) => isSuperlinear(pattern));
    expect(slow.map(({ where, pattern }) => `${where} ${pattern}`)).toEqual([]);
  });

  it.each([
    ['a run that may begin anywhere', /\r+$/],
    ['a run behind a word', /exceed\w* .{0,40}quota/],
    ['two runs in sequence', /^a*[ab]*c/],
    ['a run within a run', /^(?:a|aa)+$/],
    ['a run behind a lookbehind', /(?<=x)\w+y/],
    ['words that may follow each other', /\b(?:user|address)(?:[ :]+(?:is|address))*[ :]+unknown/],
    ['replaced names', /[<([]*\0/g],
  ])('is found out when it has %s', (_, pattern) => expect(isSuperlinear(pattern)).toBe(true));

  it.each([/^(?!.*<>).*<us>/s, /\bip\b.{0,60}\b(?:block|list)/, /^[a-z]+(?:\.[a-z]+)*$/, / {2,}/g])(
    'may be %s',
    (pattern) => expect(isSuperlinear(pattern)).toBe(false),
  );
});
