export interface Rate {
  /** Requests per second in the long run; may be fractional. */
  perSecond: number;
  /** Requests that a full bucket allows at once. */
  burst: number;
}

export interface RateDecision {
  allowed: boolean;
  /** Whole requests left in the bucket. */
  remaining: number;
  /** Seconds until the requested cost is available; 0 when it was allowed. */
  retryAfterSeconds: number;
  /** Seconds until the bucket is full. */
  resetAfterSeconds: number;
}

/** Port: token buckets. When the store fails, the limit is approximate; it never throws and never blocks. */
export abstract class RateLimiter {
  /** Takes `cost` requests from the bucket, or none when fewer are left. A negative cost is returned to it. */
  abstract consume(bucket: string, rate: Rate, cost?: number): Promise<RateDecision>;

  /** Returns a request that was taken and then not counted. */
  async giveBack(bucket: string, rate: Rate): Promise<void> {
    await this.consume(bucket, rate, -1);
  }

  /** The state of the bucket, without taking from it. */
  peek(bucket: string, rate: Rate): Promise<RateDecision> {
    return this.consume(bucket, rate, 0);
  }

  /** Connects; resolves within a bounded time, also on failure. */
  async open(): Promise<void> {}

  async close(): Promise<void> {}

  /** Log fields for an error of `consume`. */
  describe(_error: unknown): Record<string, unknown> {
    return {};
  }
}
