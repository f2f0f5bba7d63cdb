import type { TeamId } from '../../../../kernel/principal.js';

/** Minimum for every team. */
const MIN_PROBES = 10;
const PROBES_WITHOUT_RATE = 200;

/** Concurrent single probes of a team: two seconds of its tier's rate. */
export function maxProbes(rate: { perSecond: number } | null): number {
  return rate === null ? PROBES_WITHOUT_RATE : Math.max(MIN_PROBES, Math.floor(2 * rate.perSecond));
}

/**
 * Counts the single probes in flight in this process, by team. A verdict `unknown` costs nothing, so
 * the limit on concurrency bounds the free work.
 */
export class ProbesInFlight {
  private readonly counts = new Map<TeamId, number>();

  /** Counts a probe that starts. @returns false when `max` probes are running. */
  acquire(team: TeamId, max: number): boolean {
    const running = this.counts.get(team) ?? 0;
    if (running >= max) return false;
    this.counts.set(team, running + 1);
    return true;
  }

  release(team: TeamId): void {
    const remaining = (this.counts.get(team) ?? 0) - 1;
    if (remaining > 0) this.counts.set(team, remaining);
    else this.counts.delete(team);
  }
}

/**
 * The probes of one call with several addresses. The call uses the free probes of the team; further
 * addresses get those of its own that have ended. So a call that has begun is never refused.
 */
export class ProbesOfCall {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly probes: ProbesInFlight,
    private readonly team: TeamId,
    private readonly max: number,
  ) {}

  /**
   * Counts a probe that starts, now or when one of this call ends.
   *
   * @returns the release function, of which later calls have no effect; null when other calls use all probes and
   * this call has none.
   */
  async acquire(): Promise<(() => void) | null> {
    if (this.probes.acquire(this.team, this.max)) this.running += 1;
    else if (this.running === 0) return null;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      const next = this.waiting.shift();
      if (next !== undefined) return next();
      this.running -= 1;
      this.probes.release(this.team);
    };
  }
}
