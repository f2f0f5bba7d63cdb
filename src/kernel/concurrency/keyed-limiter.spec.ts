import { describe, expect, it } from '@jest/globals';
import { KeyedLimiter } from './keyed-limiter.js';

describe('a keyed limiter', () => {
  it('refuses what exceeds the limit of a key, and accepts it when units were released', () => {
    const limiter = new KeyedLimiter({ perKey: 2, total: 10 });
    const acquired = [1, 2, 3].map(() => limiter.tryAcquire('a'));
    expect([acquired, limiter.tryAcquire('b')]).toEqual([[true, true, false], true]);
    limiter.release('a');
    expect([limiter.tryAcquire('a'), limiter.tryAcquire('a')]).toEqual([true, false]);
  });

  it('refuses what exceeds the total, and acquires nothing then', () => {
    const limiter = new KeyedLimiter({ perKey: 80, total: 100 });
    expect([limiter.tryAcquire('a', 80), limiter.tryAcquire('b', 30)]).toEqual([true, false]);
    limiter.release('a', 50);
    expect([limiter.tryAcquire('b', 70), limiter.tryAcquire('c')]).toEqual([true, false]);
  });
});
