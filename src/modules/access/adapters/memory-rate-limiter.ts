import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../kernel/clock.js';
import { decisionOf, spend } from '../domain/gcra.js';
import { RateLimiter, type Rate, type RateDecision } from '../domain/rate-limiter.js';

const MOST_BUCKETS = 50_000;

/** Buckets of this process alone. One that was long unused is forgotten, which is as good as full. */
export class MemoryRateLimiter extends RateLimiter {
  /** Bucket → when it is full, in microseconds of the monotonic clock. */
  private readonly fullAt: LRUCache<string, number>;

  /** @param most buckets kept; the longest unused goes first. */
  constructor(
    private readonly clock: Clock,
    most = MOST_BUCKETS,
  ) {
    super();
    this.fullAt = new LRUCache({ max: most });
  }

  async take(bucket: string, rate: Rate, cost = 1): Promise<RateDecision> {
    const nowUs = Math.floor(this.clock.monotonicMs() * 1000);
    const outcome = spend((this.fullAt.get(bucket) ?? nowUs) - nowUs, rate, cost);
    if (outcome.lackUs > 0) this.fullAt.set(bucket, nowUs + outcome.lackUs);
    return decisionOf(outcome, rate, cost);
  }
}
