import type { WarmupDay } from './warmup.js';

export interface WarmupKey {
  egress: string;
  provider: string;
  /** The id of the team that sends the probes. */
  team: string;
}

export interface WarmupGrant {
  /** As stored now. */
  day: WarmupDay;
  /** Probes that may be sent, at most as many as requested. */
  granted: number;
  dayEndsInMs: number;
}

/** Port: the counters of the installation. All methods throw when it is not available. */
export abstract class WarmupStore {
  abstract acquire(key: WarmupKey, probes: number): Promise<WarmupGrant>;

  /** A probe of today was not sent. */
  abstract returnProbe(key: WarmupKey): Promise<void>;

  /** The provider has refused a probe. */
  abstract countRejection(key: WarmupKey): Promise<void>;

  /** Deletes the counters of egresses that are not used any more. @returns how many. */
  abstract deleteUnused(): Promise<number>;

  /** @returns how many counters were deleted. */
  abstract deleteByTeam(team: string): Promise<number>;
}
