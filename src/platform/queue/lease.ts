import type { Clock } from '../../kernel/clock.js';
import { SECOND_MS } from '../../kernel/durations.js';
import { DomainError } from '../../kernel/errors.js';
import { LeaseLost, type Release, type TeamWorker } from '../../kernel/queue/team-work.js';

/** A lease is renewed so many times in its duration. */
const RENEWALS = 3;
const RELEASE_PAUSE_MS = 1_000;
/** The share of its duration for which a lease is used: the database began to count before its reply arrived. */
const USED = 0.9;

/** No renewal has succeeded for so long that another process may have the unit. */
class LeaseExpired extends Error {}

/** A unit that this process has claimed, from then until its lease ends. */
export class Lease<Unit> {
  private readonly stop = new AbortController();
  private renewal?: NodeJS.Timeout;
  private expiry?: NodeJS.Timeout;

  constructor(
    private readonly worker: TeamWorker<Unit>,
    readonly unit: Unit,
    private readonly clock: Clock,
  ) {}

  /**
   * Does the work, and renews the lease until it ends.
   *
   * @param shutdown aborts when the process shuts down.
   * @throws what the work throws, unless the lease was lost.
   */
  async work(shutdown: AbortSignal): Promise<void> {
    this.renewal = setInterval(() => void this.renew(), this.renewMs);
    this.holdSince(performance.now());
    try {
      const release = await this.worker.run(this.unit, AbortSignal.any([shutdown, this.stop.signal]));
      if (release !== null) await this.worker.units.release(this.unit, release);
    } catch (error) {
      const reason: unknown = this.stop.signal.reason;
      if (error instanceof LeaseLost || reason instanceof LeaseLost) return;
      this.end();
      // The unit is not the reason, and a release under a lease that another process has does nothing.
      await this.releaseFailed(shutdown, !(reason instanceof LeaseExpired));
      throw error;
    } finally {
      this.end();
    }
  }

  private end(): void {
    clearInterval(this.renewal);
    clearTimeout(this.expiry);
    this.renewal = undefined;
  }

  private get leaseMs(): number {
    return this.worker.units.leaseSeconds * SECOND_MS;
  }

  private get renewMs(): number {
    return this.worker.renewMs ?? this.leaseMs / RENEWALS;
  }

  private async renew(): Promise<void> {
    const asked = performance.now();
    try {
      const isHeld = await (this.worker.renew?.(this.unit) ?? this.worker.units.renew(this.unit));
      if (isHeld) this.holdSince(asked);
      else this.stop.abort(new LeaseLost());
    } catch (error) {
      // Other failures say nothing about the lease: the database may answer the next time.
      if (error instanceof DomainError) this.stop.abort(error);
    }
  }

  /** Stops the work when the lease has been used since then for as long as it may. */
  private holdSince(asked: number): void {
    // The work has ended while a renewal was under way.
    if (this.renewal === undefined) return;
    clearTimeout(this.expiry);
    const expire = () => this.stop.abort(new LeaseExpired());
    this.expiry = setTimeout(expire, Math.max(0, asked + this.leaseMs * USED - performance.now()));
  }

  /**
   * If the database is away too, the unit is released once it is back, and the failure is not the unit's. Otherwise
   * it would stand still until the lease expires.
   */
  private async releaseFailed(shutdown: AbortSignal, countsAsAttempt: boolean): Promise<void> {
    const afterSeconds = this.worker.pauseAfter(this.unit);
    if (await this.isReleased({ afterSeconds, countsAsAttempt })) return;
    const tries = this.leaseMs / RELEASE_PAUSE_MS;
    for (let n = 1; n < tries && !shutdown.aborted; n++) {
      await this.clock.pause(RELEASE_PAUSE_MS, shutdown);
      if (await this.isReleased({ afterSeconds: 0, countsAsAttempt: false })) return;
    }
  }

  private isReleased(release: Release): Promise<boolean> {
    return this.worker.units.release(this.unit, release).then(
      () => true,
      () => false,
    );
  }
}
