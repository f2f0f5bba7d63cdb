import { describe, expect, it } from '@jest/globals';
import { append, greatest, least } from './long-lists.js';

const LONG = Array.from({ length: 500_000 }, (_, at) => at);

describe('a list that is too long for arguments', () => {
  it('has a greatest and a least number', () => {
    expect([greatest(LONG), least(LONG)]).toEqual([499_999, 0]);
  });

  it('is added to another one', () => {
    const list = [1];
    append(list, LONG);
    expect(list.length).toBe(500_001);
  });
});

it('the greatest and the least of no number are the given ones', () => {
  expect([greatest([], 0), least([], 1), greatest([]), least([])]).toEqual([0, 1, -Infinity, Infinity]);
  expect([greatest([1], 2), least([2], 1)]).toEqual([2, 1]);
});
