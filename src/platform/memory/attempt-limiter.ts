import { LRUCache } from 'lru-cache';
import type { Clock } from '../../kernel/clock.js';

/**
 * Counts what was tried of late, by whom, in this process: at most so many times
 * in any window of that length. What is turned away is not counted, so that
 * whoever keeps trying is let in again in time.
 */
export class AttemptLimiter {
  /** Moments of each one's attempts, oldest first. */
  private readonly moments: LRUCache<string, number[]>;

  /** @param mostRemembered of those who try; the longest unheard goes first. */
  constructor(
    private readonly clock: Clock,
    private readonly most: number,
    private readonly windowMs: number,
    mostRemembered: number,
  ) {
    this.moments = new LRUCache({ max: mostRemembered });
  }

  /** @returns 0 when it is let through; else the milliseconds until it would be. */
  take(who: string): number {
    const nowMs = this.clock.monotonicMs();
    const recent = (this.moments.get(who) ?? []).filter((at) => nowMs - at < this.windowMs);
    const oldest = recent[0];
    if (oldest !== undefined && recent.length >= this.most) return oldest + this.windowMs - nowMs;
    this.moments.set(who, [...recent, nowMs]);
    return 0;
  }
}
