/** What a ring carries: names of things to look up, never the things, and never an address. */
export type RingData = Readonly<Record<string, string | number>>;

export interface Ring {
  readonly id: string;
  readonly data: RingData;
  readonly delayMs?: number;
  /** 1 is the most urgent; without one a ring comes before every ring that has one. */
  readonly priority?: number;
}

/** The signal aborts when the process ends. */
export type RingHandler = (data: RingData, signal: AbortSignal) => Promise<void>;

/** A doorbell: says that something committed waits to be done; losing every ring loses nothing. */
export abstract class JobQueue {
  /**
   * Rings. The id is deterministic, so that ringing twice is one job while the first waits; once
   * done it may be rung again. Never carries an address.
   *
   * @throws when the queue is out of reach: sweeps ring again.
   */
  abstract add(queue: string, ring: Ring): Promise<void>;

  /** Rings all of them, or throws as `add` does; some may then have rung. */
  abstract addAll(queue: string, rings: readonly Ring[]): Promise<void>;

  /**
   * Handles what is rung, `concurrency` at a time in this process; a handler may run twice for one
   * ring. A handler that throws ends its ring: whoever rang finds what is left and rings again.
   */
  abstract work(queue: string, concurrency: number, handler: RingHandler): void;

  /** Lets what runs end, then leaves. */
  abstract close(): Promise<void>;
}
