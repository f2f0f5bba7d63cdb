/** What a ring carries: names of things to look up, never the things, and never an address. */
export type JobData = Readonly<Record<string, string | number>>;

export interface QueuedJob {
  /** Letters, digits, `_` and `-`, not digits alone. */
  readonly id: string;
  readonly data: JobData;
  readonly delayMs?: number;
  /** 1 is the most urgent; a ring without one comes before all that have one. */
  readonly priority?: number;
}

/** The signal aborts when the process is asked to end: it then goes on for 20 s at most. */
export type JobHandler = (data: JobData, signal: AbortSignal) => Promise<void>;

/** A doorbell: says that something committed waits to be done; losing every ring loses nothing. */
export abstract class JobQueue {
  /**
   * Rings. The id is deterministic, so that ringing twice is one job while the first waits, is
   * delayed or runs; once it is over the id may be rung again. So a handler looks for work until it
   * finds none, and what came in its last moment is the sweep's. Never carries an address.
   *
   * @throws when the queue is out of reach: sweeps ring again.
   */
  abstract add(queue: string, ring: QueuedJob): Promise<void>;

  /** Rings all of them, or throws as `add` does; some may then have rung. */
  abstract addAll(queue: string, rings: readonly QueuedJob[]): Promise<void>;

  /**
   * Handles what is rung, `concurrency` at a time in this process; a handler may run twice for one
   * ring. A handler that throws ends its ring: whoever rang finds what is left and rings again.
   */
  abstract work(queue: string, concurrency: number, handler: JobHandler): void;

  /** Lets what runs end, then leaves. */
  abstract close(): Promise<void>;
}
