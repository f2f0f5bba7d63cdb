import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../kernel/clock.js';
import type { Priority } from '../../../kernel/concurrency/fair-queue.js';

interface Entry<T extends object> {
  value: T;
  storedAtMs: number;
  expiresAtMs: number;
}

/**
 * Caches responses for their TTL, shared by all teams. Responses to single calls and to lists have room of their
 * own: a list of many domains evicts what lists have looked up, and nothing that a single call has used.
 */
export class DnsCache<T extends object> {
  private readonly entries: Readonly<Record<Priority, LRUCache<string, Entry<T>>>>;

  /** @param max entries of single calls, and of lists. */
  constructor(
    private readonly clock: Clock,
    max: number,
  ) {
    this.entries = { single: new LRUCache({ max }), list: new LRUCache({ max }) };
  }

  /** The value and its age in whole seconds; null when it is not cached or has expired. */
  get(key: string, priority: Priority): { value: T; ageSeconds: number } | null {
    const nowMs = this.clock.monotonicMs();
    const { single, list } = this.entries;
    const entry = [single.get(key), list.get(key)].find(
      (one) => one !== undefined && nowMs < one.expiresAtMs,
    );
    if (entry === undefined) return null;
    if (priority === 'single') single.set(key, entry);
    return { value: entry.value, ageSeconds: Math.floor((nowMs - entry.storedAtMs) / 1000) };
  }

  /** @param ttlSeconds 0: not cached (RFC 1035 §3.2.1). */
  set(key: string, priority: Priority, value: T, ttlSeconds: number): void {
    if (ttlSeconds <= 0) return;
    const storedAtMs = this.clock.monotonicMs();
    this.entries[priority].set(key, { value, storedAtMs, expiresAtMs: storedAtMs + ttlSeconds * 1000 });
  }
}
