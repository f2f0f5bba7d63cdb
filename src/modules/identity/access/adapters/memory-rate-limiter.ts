import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../../kernel/clock.js';
import { decisionOf, consume } from '../domain/gcra.js';
import { RateLimiter, type Rate, type RateDecision } from '../domain/rate-limiter.js';

const MAX_BUCKETS = 50_000;

/** Buckets of this process. The least recently used bucket is dropped, which is equivalent to a full one. */
export class MemoryRateLimiter extends RateLimiter {
  /** Bucket → when it is full, in microseconds of the monotonic clock. */
  private readonly fullAt: LRUCache<string, number>;

  /** @param max maximum number of buckets; the least recently used is dropped. */
  constructor(
    private readonly clock: Clock,
    max = MAX_BUCKETS,
  ) {
    super();
    this.fullAt = new LRUCache({ max });
  }

  async consume(bucket: string, rate: Rate, cost = 1): Promise<RateDecision> {
    const nowUs = Math.floor(this.clock.monotonicMs() * 1000);
    const outcome = consume((this.fullAt.get(bucket) ?? nowUs) - nowUs, rate, cost);
    if (outcome.deficitUs > 0 || cost < 0) this.fullAt.set(bucket, nowUs + outcome.deficitUs);
    return decisionOf(outcome, rate, cost);
  }
}
