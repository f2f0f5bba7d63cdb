import type { Clock } from '../../../../kernel/clock.js';
import type { HealthRegistry } from '../../../../kernel/service-state/health-registry.js';
import type { Log } from '../../../../platform/telemetry/log.js';
import { RateLimiter, type Rate, type RateDecision } from '../domain/rate-limiter.js';

/**
 * The shared limiter is not called for this time after a failure: each attempt may cost a caller the
 * timeout.
 */
const RETRY_AFTER_MS = 1_000;
const TRIAL: [bucket: string, rate: Rate] = ['trial', { perSecond: 1, burst: 1 }];

/**
 * Uses the shared limiter while it is available, and an in-process limiter otherwise, so that requests
 * do not fail.
 */
export class FallbackRateLimiter extends RateLimiter {
  private failing = false;
  private retryAtMs = 0;

  constructor(
    private readonly shared: RateLimiter,
    private readonly own: RateLimiter,
    private readonly clock: Clock,
    health: HealthRegistry,
    private readonly log: Log,
  ) {
    super();
    health.register('redis', () => (this.failing ? 'degraded' : 'ok'));
  }

  async consume(bucket: string, rate: Rate, cost = 1): Promise<RateDecision> {
    if (this.failing && this.clock.monotonicMs() < this.retryAtMs)
      return this.own.consume(bucket, rate, cost);
    try {
      const decision = await this.shared.consume(bucket, rate, cost);
      this.setFailing(false);
      return decision;
    } catch (error) {
      this.retryAtMs = this.clock.monotonicMs() + RETRY_AFTER_MS;
      this.setFailing(true, error);
      return this.own.consume(bucket, rate, cost);
    }
  }

  /** Tests the connection once, so that a wrong address is logged at start and not at the first request. */
  override async open(): Promise<void> {
    await this.shared.open();
    await this.peek(...TRIAL);
  }

  override async close(): Promise<void> {
    await this.shared.close();
  }

  /** Logs when the state changes, not for every request. */
  private setFailing(failing: boolean, error?: unknown): void {
    if (failing === this.failing) return;
    this.failing = failing;
    if (failing)
      this.log.warn(
        this.shared.describe(error),
        'Redis is not available: rate limits are counted by each process for itself',
      );
    else this.log.info({}, 'Redis is available again: rate limits are shared');
  }
}
