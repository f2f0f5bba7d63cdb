import type { Clock } from '../kernel/clock.js';
import type { CatchAll } from './evidence.js';
import { NO_SHARED_STATE, type SharedState } from './limits/shared-state.js';

const DAY_MS = 86_400_000;
/** An operator that accepted a random address is no catch-all again after a probe, or after this time. */
const TTL_MS = 30 * DAY_MS;
/** Longer than a verification takes. */
const CLAIM_MS = 5 * 60_000;

/** The latest probe of an operator. Processes share it. */
interface RandomProbeEntry {
  isCatchAll: boolean;
  /** Until the next probe, from when the fact was stored. */
  waitMs: number;
}

interface Known {
  isCatchAll: boolean;
  nextAtMs: number;
  untilMs: number;
}

/**
 * Whether the operators whose domains are never a catch-all still reject random addresses. With a
 * verification that reaches one of them, a random address is sent there once a day, and its result
 * counts more than the table.
 */
export class TrustedOperators {
  private readonly known = new Map<string, Known>();
  /** A process that shares nothing cannot know when the latest probe was: the command line runs often. */
  private readonly isProbing: boolean;

  constructor(
    private readonly clock: Clock,
    private readonly sharedState: SharedState,
  ) {
    this.isProbing = sharedState !== NO_SHARED_STATE;
    sharedState.subscribe('operator', ({ key, value, ttlMs, ageMs }) => {
      const { isCatchAll, waitMs } = value as RandomProbeEntry;
      const nowMs = clock.monotonicMs();
      this.known.set(key, { isCatchAll, nextAtMs: nowMs + waitMs - ageMs, untilMs: nowMs + ttlMs });
    });
  }

  catchAllOf(operator: string): CatchAll {
    return this.get(operator)?.isCatchAll === true ? 'yes' : 'no';
  }

  /** Whether the caller must probe a random address, and call `onProbed`. Others need not meanwhile. */
  mustProbe(operator: string): boolean {
    const known = this.get(operator);
    const nowMs = this.clock.monotonicMs();
    if (!this.isProbing || (known !== null && nowMs < known.nextAtMs)) return false;
    this.set(operator, known?.isCatchAll ?? false, CLAIM_MS);
    return true;
  }

  /** @param result null: no random address was sent. An unusable result changes nothing for a day. */
  onProbed(operator: string, result: CatchAll | null): void {
    const before = this.catchAllOf(operator) === 'yes';
    if (result === null) return this.set(operator, before, 0);
    const isCatchAll = result === 'unknown' ? before : result === 'yes';
    this.set(operator, isCatchAll, DAY_MS);
    const value: RandomProbeEntry = { isCatchAll, waitMs: DAY_MS };
    this.sharedState.publish({ kind: 'operator', key: operator, value, ttlMs: TTL_MS });
  }

  private get(operator: string): Known | null {
    const known = this.known.get(operator);
    return known !== undefined && this.clock.monotonicMs() < known.untilMs ? known : null;
  }

  private set(operator: string, isCatchAll: boolean, waitMs: number): void {
    const nowMs = this.clock.monotonicMs();
    this.known.set(operator, { isCatchAll, nextAtMs: nowMs + waitMs, untilMs: nowMs + TTL_MS });
  }
}
