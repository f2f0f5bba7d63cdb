import type { Clock } from '../../../kernel/clock.js';
import type { HealthRegistry } from '../../../kernel/health-registry.js';
import type { Log } from '../../../platform/telemetry/log.js';
import { RateLimiter, type Rate, type RateDecision } from '../domain/rate-limiter.js';

/** For so long the shared limiter is left alone after it failed: each attempt may cost a caller its time-out. */
const LEFT_ALONE_MS = 1_000;
/** Any bucket: what counts is whether an answer comes. */
const TRIAL: [bucket: string, rate: Rate] = ['trial', { perSecond: 1, burst: 1 }];

/** The shared limiter while it answers, this process's own while it does not: a limit is no reason to fail. */
export class FallbackRateLimiter extends RateLimiter {
  private failing = false;
  private askAgainAtMs = 0;

  constructor(
    private readonly shared: RateLimiter,
    private readonly own: RateLimiter,
    private readonly clock: Clock,
    vitals: HealthRegistry,
    private readonly log: Log,
  ) {
    super();
    vitals.register('redis', () => (this.failing ? 'degraded' : 'ok'));
  }

  async take(bucket: string, rate: Rate, cost = 1): Promise<RateDecision> {
    if (this.failing && this.clock.monotonicMs() < this.askAgainAtMs)
      return this.own.take(bucket, rate, cost);
    try {
      const decision = await this.shared.take(bucket, rate, cost);
      this.setFailing(false);
      return decision;
    } catch {
      this.askAgainAtMs = this.clock.monotonicMs() + LEFT_ALONE_MS;
      this.setFailing(true);
      return this.own.take(bucket, rate, cost);
    }
  }

  /** Asks once, so that an operator reads of a wrong address at the start, not at the first request. */
  override async open(): Promise<void> {
    await this.shared.open();
    await this.peek(...TRIAL);
  }

  override async close(): Promise<void> {
    await this.shared.close();
  }

  /** Writes a line when it changes, not for every request. */
  private setFailing(failing: boolean): void {
    if (failing === this.failing) return;
    this.failing = failing;
    if (failing)
      this.log.warn({}, 'Redis does not answer: rate limits are counted by each process for itself');
    else this.log.info({}, 'Redis answers again: rate limits are shared');
  }
}
