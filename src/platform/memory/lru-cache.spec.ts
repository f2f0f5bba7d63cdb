import { describe, expect, it } from '@jest/globals';
import { LruCache } from './lru-cache.js';

describe('an LRU cache', () => {
  it('evicts the least recently used entry when it is full', () => {
    const cache = new LruCache<string, number>(2);
    cache.set('a', 1);
    cache.set('b', 2);
    cache.get('a');
    cache.set('c', 3);
    expect([...cache.keys()].sort()).toEqual(['a', 'c']);
    cache.set('a', 4);
    expect([cache.get('a'), cache.get('c'), cache.size]).toEqual([4, 3, 2]);
  });

  it('expires entries by the clock that it is given', () => {
    let nowMs = 1;
    const cache = new LruCache<string, number>(2, { ttl: 1_000, perf: { now: () => nowMs } });
    cache.set('a', 1);
    cache.set('b', 2, { ttl: 5_000 });
    nowMs += 1_001;
    expect([cache.get('a'), cache.get('b')]).toEqual([undefined, 2]);
  });

  it('allocates memory for the entries that it has, not for those that it may have', () => {
    const before = process.memoryUsage();
    const caches = Array.from({ length: 20 }, () => new LruCache<string, number>(1_000_000));
    const after = process.memoryUsage();
    const grown = after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers;
    expect(caches.length * 1_000_000).toBeGreaterThan(grown);
  });
});
