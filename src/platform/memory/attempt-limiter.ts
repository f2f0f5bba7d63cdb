import { LRUCache } from 'lru-cache';
import type { Clock } from '../../kernel/clock.js';

/**
 * A sliding-window rate limiter in the memory of this process. Rejected attempts
 * are not counted, so a caller that keeps trying is accepted again in time.
 */
export class AttemptLimiter {
  /** Times of the accepted attempts of each key, oldest first. */
  private readonly attempts: LRUCache<string, number[]>;

  /** @param maxKeys keys that are stored; the least recently used is evicted first. */
  constructor(
    private readonly clock: Clock,
    private readonly maxAttempts: number,
    private readonly windowMs: number,
    maxKeys: number,
  ) {
    this.attempts = new LRUCache({ max: maxKeys });
  }

  /** @returns 0 if the attempt is accepted, otherwise the milliseconds until it would be. */
  consume(key: string): number {
    const nowMs = this.clock.monotonicMs();
    const recent = (this.attempts.get(key) ?? []).filter((at) => nowMs - at < this.windowMs);
    const oldest = recent[0];
    if (oldest !== undefined && recent.length >= this.maxAttempts) return oldest + this.windowMs - nowMs;
    this.attempts.set(key, [...recent, nowMs]);
    return 0;
  }

  /** Removes the last accepted attempt of the key. */
  giveBack(key: string): void {
    this.attempts.set(key, (this.attempts.get(key) ?? []).slice(0, -1));
  }
}
