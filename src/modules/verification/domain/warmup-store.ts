import type { BlockRequest, WarmupDay } from './warmup.js';

export interface WarmupKey {
  egress: string;
  provider: string;
  /** The id of the team that sends the probes. */
  team: string;
}

/** The response to a request for a block of probes. */
export interface WarmupBlock {
  /** As stored now. */
  day: WarmupDay;
  /** null: any number, until the day ends. */
  granted: number | null;
  dayEndsInMs: number;
}

/** Port: the counters of the installation. */
export abstract class WarmupStore {
  /** @throws when the store is not available. */
  abstract exchange(key: WarmupKey, request: BlockRequest): Promise<WarmupBlock>;

  /** Deletes the counters of egresses that are not used any more. @returns how many. */
  abstract deleteUnused(): Promise<number>;
}
