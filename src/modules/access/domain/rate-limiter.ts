/** How fast a bucket fills and how much it holds. */
export interface Rate {
  /** Requests a second in the long run; a fraction is allowed. */
  perSecond: number;
  /** Requests at once, when the bucket is full. */
  burst: number;
}

/** What came of asking a bucket. */
export interface RateDecision {
  allowed: boolean;
  /** Whole requests that the bucket still holds. */
  remaining: number;
  /** Until as much as was asked for is there; 0 when it was allowed. */
  retryAfterSeconds: number;
  /** Until the bucket is full again. */
  resetAfterSeconds: number;
}

/** Port: buckets that are taken from. An approximation under failure, never an error and never a wait. */
export abstract class RateLimiter {
  /** Takes `cost` requests from the bucket, or none when it holds fewer. */
  abstract take(bucket: string, rate: Rate, cost?: number): Promise<RateDecision>;

  /** How the bucket stands; takes nothing. */
  peek(bucket: string, rate: Rate): Promise<RateDecision> {
    return this.take(bucket, rate, 0);
  }

  /** Makes ready what it needs; resolves in good time, also when that cannot be had. */
  async open(): Promise<void> {}

  async close(): Promise<void> {}
}
