import { expect, it } from '@jest/globals';
import { parseList } from 'structured-headers';
import { limitField, policyField, type Policy } from './rate-fields.js';

const burst: Policy = {
  name: 'burst',
  quota: 10,
  windowSeconds: 5,
  standing: { remaining: 9, resetAfterSeconds: 0.5 },
};
const daily: Policy = {
  name: 'daily',
  quota: 100,
  windowSeconds: 86_400,
  standing: { remaining: 98, resetAfterSeconds: 3_600 },
};

it('are lists of quoted names with whole numbers', () => {
  expect(policyField([burst, daily])).toBe('"burst";q=10;w=5, "daily";q=100;w=86400');
  expect(limitField([burst, daily])).toBe('"burst";r=9;t=1, "daily";r=98;t=3600');
});

it('are read back by a parser of RFC 9651', () => {
  expect(parseList(policyField([burst, daily]))).toEqual([
    [
      'burst',
      new Map([
        ['q', 10],
        ['w', 5],
      ]),
    ],
    [
      'daily',
      new Map([
        ['q', 100],
        ['w', 86_400],
      ]),
    ],
  ]);
});

it('a window is a second at least, and no number is negative or broken', () => {
  const odd = { ...burst, windowSeconds: 0.2, standing: { remaining: -3, resetAfterSeconds: -1 } };
  expect(policyField([odd])).toBe('"burst";q=10;w=1');
  expect(limitField([odd])).toBe('"burst";r=0;t=0');
});

it('a limit whose standing is not known is named, and no number is made up for it', () => {
  expect(policyField([burst, { ...daily, standing: null }])).toContain('"daily"');
  expect(limitField([burst, { ...daily, standing: null }])).toBe('"burst";r=9;t=1');
});

it('without a limit there is nothing to say', () => {
  expect([policyField([]), limitField([])]).toEqual(['', '']);
});
