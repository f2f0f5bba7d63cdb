import type { TeamId } from '../../../kernel/principal.js';

/** However slow its rate, a team may have this many. */
const LEAST_PROBES = 10;
const PROBES_WITHOUT_RATE = 200;

/** How many single probes of a team may be in flight: two seconds' worth of its tier's rate. */
export function mostProbes(rate: { perSecond: number } | null): number {
  return rate === null ? PROBES_WITHOUT_RATE : Math.max(LEAST_PROBES, Math.floor(2 * rate.perSecond));
}

/**
 * The single probes under way in this process, by team. A verdict that stays
 * `unknown` costs nothing, so what bounds the free work is how much of it runs at once.
 */
export class ProbesInFlight {
  private readonly counts = new Map<TeamId, number>();

  /**
   * Counts a probe that begins.
   *
   * @returns to be called when it has ended, once or more; null when as many as `most` run already.
   */
  enter(team: TeamId, most: number): (() => void) | null {
    const running = this.counts.get(team) ?? 0;
    if (running >= most) return null;
    this.counts.set(team, running + 1);
    let over = false;
    return () => {
      if (over) return;
      over = true;
      this.leave(team);
    };
  }

  private leave(team: TeamId): void {
    const left = (this.counts.get(team) ?? 0) - 1;
    if (left > 0) this.counts.set(team, left);
    else this.counts.delete(team);
  }
}
