import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../kernel/clock.js';

interface Entry<T extends object> {
  value: T;
  storedAtMs: number;
  expiresAtMs: number;
}

/** Remembers answers for as long as the DNS allows; when full, the one not asked for longest goes. */
export class DnsCache<T extends object> {
  private readonly entries: LRUCache<string, Entry<T>>;

  constructor(
    private readonly clock: Clock,
    maxEntries: number,
  ) {
    this.entries = new LRUCache({ max: maxEntries });
  }

  /** The value and its age in whole seconds; null when there is none, or no longer. */
  get(key: string): { value: T; ageSeconds: number } | null {
    const entry = this.entries.get(key);
    const nowMs = this.clock.monotonicMs();
    if (!entry || nowMs >= entry.expiresAtMs) return null;
    return { value: entry.value, ageSeconds: Math.floor((nowMs - entry.storedAtMs) / 1000) };
  }

  /** @param ttlSeconds 0: not to be remembered (RFC 1035 §3.2.1). */
  set(key: string, value: T, ttlSeconds: number): void {
    if (ttlSeconds <= 0) return;
    const storedAtMs = this.clock.monotonicMs();
    this.entries.set(key, { value, storedAtMs, expiresAtMs: storedAtMs + ttlSeconds * 1000 });
  }
}
