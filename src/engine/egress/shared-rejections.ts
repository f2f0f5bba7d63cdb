import type { BreakerStore } from './breaker-store.js';
import type { ScopeName } from './breaker-scope.js';
import type { ReceivedEntry, SharedState } from '../limits/shared-state.js';
import { WINDOW_MS, type Pause } from './team-breaker.js';

/** A rejection, or a success, of one team. */
interface SharedOutcome extends ScopeName {
  team: string;
  /** A keyed hash, or a domain; of a success ''. */
  subject: string;
  /** null: a success. */
  rejection: { isOfSender: boolean } | null;
}

/** A pause of one team. Its end is as far away as that of the entry. */
interface SharedPause extends ScopeName {
  team: string;
  lengthMs: number;
  isHalfOpen: boolean;
}

/**
 * Shares rejections and successes with the breakers of other processes, and applies theirs as if they had
 * occurred in this process. Successes are shared only for scopes with known rejections. No text, no reply
 * and no address is shared.
 */
export class SharedRejections {
  /** @param nowMs the monotonic clock. */
  constructor(
    private readonly sharedState: SharedState,
    private readonly store: BreakerStore,
    nowMs: () => number,
  ) {
    sharedState.subscribe('breaker_outcome', (entry) => this.onOutcome(entry, nowMs()));
    sharedState.subscribe('breaker_pause', (entry) => this.onPause(entry, nowMs()));
  }

  publishOutcome(outcome: SharedOutcome): void {
    const { egress, kind, name, team, subject } = outcome;
    // One success of a team has the same effect as many.
    const key = [egress, kind, name, team, subject].join(' ');
    this.sharedState.publish({ kind: 'breaker_outcome', key, value: outcome, ttlMs: WINDOW_MS });
  }

  publishPause(name: ScopeName, team: string, { lengthMs, untilMs, isHalfOpen }: Pause, nowMs: number): void {
    const key = [name.egress, name.kind, name.name, team].join(' ');
    const value: SharedPause = { ...name, team, lengthMs, isHalfOpen };
    if (untilMs > nowMs)
      this.sharedState.publish({ kind: 'breaker_pause', key, value, ttlMs: untilMs - nowMs });
  }

  private onOutcome({ value, ageMs }: ReceivedEntry, nowMs: number): void {
    const { team, subject, rejection, ...name } = value as SharedOutcome;
    const scope = this.store.getOrCreate(name, team, nowMs);
    const atMs = nowMs - ageMs;
    if (rejection === null) scope.succeeded(team, atMs);
    else scope.rejected(team, subject, rejection.isOfSender, atMs);
  }

  private onPause({ value, ttlMs }: ReceivedEntry, nowMs: number): void {
    const { team, lengthMs, isHalfOpen, ...name } = value as SharedPause;
    const scope = this.store.getOrCreate(name, team, nowMs);
    scope.adoptPause(team, { lengthMs, isHalfOpen, untilMs: nowMs + ttlMs });
  }
}
