import { describe, expect, it } from '@jest/globals';
import { roundRobin } from './round-robin.js';

const domainOf = (address: string) => address.slice(address.indexOf('@') + 1);

describe('roundRobin', () => {
  it('returns one item of each owner before the second of any', () => {
    const sorted = ['1@a', '2@a', '3@a', '1@b', '1@c', '2@c'];
    expect(roundRobin(sorted, domainOf)).toEqual(['1@a', '1@b', '1@c', '2@a', '2@c', '3@a']);
  });

  it('keeps the order of items that alternate already, and of those of one owner', () => {
    const items = ['1@a', '1@b', '2@a', '2@b', '3@a', '4@a'];
    expect(roundRobin(items, domainOf)).toEqual(items);
  });

  it('returns nothing for no items', () => {
    expect(roundRobin([], domainOf)).toEqual([]);
  });
});
