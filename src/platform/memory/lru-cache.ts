import { LRUCache } from 'lru-cache';

/**
 * Entries up to a number; the least recently used is evicted first. Memory is allocated as entries are
 * added: with the option `max`, lru-cache allocates that of all entries when it is created.
 */
export class LruCache<K extends string, V extends NonNullable<unknown>> extends LRUCache<K, V> {
  constructor(maxEntries: number, options: Pick<LRUCache.Options<K, V, unknown>, 'ttl' | 'perf'> = {}) {
    super({ ...options, maxSize: maxEntries, sizeCalculation: () => 1 });
  }
}
