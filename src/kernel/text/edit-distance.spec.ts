import { describe, expect, it } from '@jest/globals';
import { editDistance } from './edit-distance.js';

describe('editDistance', () => {
  it.each([
    ['', '', 0],
    ['', 'abc', 3],
    ['gmail', 'gmail', 0],
    ['gmail', 'gmai', 1],
    ['gmail', 'gmaill', 1],
    ['gmail', 'gnail', 1],
    ['gmail', 'gmial', 1],
    ['gmail', 'mgial', 2],
    ['ca', 'abc', 3],
    ['kitten', 'sitting', 3],
  ])('between %j and %j is %i, in both directions, and with a maximum', (a, b, distance) => {
    expect(editDistance(a, b)).toBe(distance);
    expect(editDistance(b, a)).toBe(distance);
    for (const max of [0, 1, 2, 3]) {
      if (distance <= max) expect([max, editDistance(a, b, max)]).toEqual([max, distance]);
      else expect([max, editDistance(a, b, max) > max]).toEqual([max, true]);
    }
  });
});
