import { expect, it } from '@jest/globals';
import { parseList } from 'structured-headers';
import { rateFields, type Policy } from './rate-fields.js';

const burst: Policy = {
  name: 'burst',
  quota: 10,
  windowSeconds: 5,
  state: { remaining: 9, resetAfterSeconds: 0.5 },
};
const daily: Policy = {
  name: 'daily',
  quota: 100,
  windowSeconds: 86_400,
  state: { remaining: 98, resetAfterSeconds: 3_600 },
};

it('are lists of quoted names with whole numbers', () => {
  expect(rateFields([burst, daily])).toEqual({
    'RateLimit-Policy': '"burst";q=10;w=5, "daily";q=100;w=86400',
    RateLimit: '"burst";r=9;t=1, "daily";r=98;t=3600',
  });
});

it('can be parsed by an RFC 9651 parser', () => {
  expect(parseList(rateFields([burst, daily])['RateLimit-Policy'] ?? '')).toEqual([
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

it('a window is at least a second, and no number is negative or fractional', () => {
  const odd = { ...burst, windowSeconds: 0.2, state: { remaining: -3, resetAfterSeconds: -1 } };
  expect(rateFields([odd])).toEqual({ 'RateLimit-Policy': '"burst";q=10;w=1', RateLimit: '"burst";r=0;t=0' });
});

it('a limit with unknown state has a name and no remaining number', () => {
  expect(rateFields([burst, { ...daily, state: null }])).toEqual({
    'RateLimit-Policy': '"burst";q=10;w=5, "daily";q=100;w=86400',
    RateLimit: '"burst";r=9;t=1',
  });
});

it('are empty without a limit', () => {
  expect(rateFields([])).toEqual({});
});
