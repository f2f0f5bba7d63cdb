import type { WarmupDay, WarmupTime, WarmupChange } from './warmup.js';

export interface WarmupKey {
  egress: string;
  provider: string;
}

/** Port: the counters of the installation. All methods throw when it is not available. */
export abstract class WarmupStore {
  /**
   * Stores the day that `next` returns. Other changes of this key wait meanwhile.
   *
   * @param next receives the stored day, or `NEVER_USED`, and the time of the store.
   */
  abstract change(
    key: WarmupKey,
    next: (last: WarmupDay, time: WarmupTime) => WarmupChange,
  ): Promise<WarmupChange>;

  /** Deletes the counters of egresses that are not used any more. @returns how many. */
  abstract deleteUnused(): Promise<number>;

  /** @returns how many counters were deleted. */
  abstract deleteByTeam(team: string): Promise<number>;
}
