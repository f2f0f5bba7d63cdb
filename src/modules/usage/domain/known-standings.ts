import type { Clock } from '../../../kernel/clock.js';
import type { TeamId } from '../../../kernel/language.js';
import { LEASE_FLOOR } from './lease.js';
import { remainingOf, type Standing } from './quota.js';
import type { Today } from './usage.repository.js';

/** What a process remembers of the database is at most so old, counted from before it asked. */
const REMEMBERED_MS = 4_000;

type Known = Standing & { askedAtMs: number };

/** What this process knows of the database's day and of how the teams stand in it. */
export class KnownStandings {
  private readonly known = new Map<TeamId, Known>();
  private today = '';
  /** By the monotonic clock; counted from before the question, so never later than the database's midnight. */
  private todayEndsAtMs = -Infinity;

  constructor(private readonly clock: Clock) {}

  /** null: not known, or over. */
  get day(): string | null {
    return this.clock.monotonicMs() < this.todayEndsAtMs ? this.today : null;
  }

  /** At least 1, so that nobody comes back a moment too early. */
  get secondsLeft(): number {
    return Math.max(1, Math.ceil((this.todayEndsAtMs - this.clock.monotonicMs()) / 1000));
  }

  /** The database told what day it is, and how the team stands. */
  learn(teamId: TeamId, today: Today, askedAtMs: number): void {
    this.today = today.day;
    this.todayEndsAtMs = askedAtMs + today.secondsLeft * 1000;
    this.remember(teamId, today, askedAtMs);
  }

  remember(teamId: TeamId, standing: Standing, askedAtMs: number): void {
    if (standing.day === this.day) this.known.set(teamId, { ...standing, askedAtMs });
  }

  /** null: what is known is too old. */
  get(teamId: TeamId): Standing | null {
    const known = this.known.get(teamId);
    const isFresh = known !== undefined && this.clock.monotonicMs() - known.askedAtMs < REMEMBERED_MS;
    return isFresh && known.day === this.day ? known : null;
  }

  /** Whether so little remained, when last heard of, that none of it is held back from other processes. */
  isScarce(teamId: TeamId, limit: number | null): boolean {
    const known = this.known.get(teamId);
    if (limit === null || known === undefined || known.day !== this.day) return false;
    return remainingOf(limit, known) <= LEASE_FLOOR;
  }

  /** @param needed teams that this process still holds units of. */
  forgetStale(needed: ReadonlySet<TeamId>): void {
    for (const teamId of this.known.keys()) {
      if (this.get(teamId) === null && !needed.has(teamId)) this.known.delete(teamId);
    }
  }
}
