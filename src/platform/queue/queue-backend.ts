import type { BackendFactory, IQueueBackend } from 'bullmq';

/** Where the rings are kept: all in which Redis and PostgreSQL differ. */
export interface QueueBackend {
  /** What BullMQ is given to speak to it. */
  factory(): Promise<BackendFactory<IQueueBackend, unknown>>;
  /** How long a worker without work waits before it looks by itself: a ring wakes it, a lost one does not. */
  readonly idleSeconds: number;

  /** Dials, where that is to be told early; does not wait for long, and never throws. */
  open(): Promise<void>;

  /** For whoever rings; the whole process shares it. @throws at once when the store is known to be away. */
  producerConnection(): Promise<unknown>;

  /** A connection of its own for whoever works on one queue, and how to end it. */
  workerConnection(): { connection: unknown; end: () => Promise<void> };

  /** After the last ring. */
  close(): Promise<void>;
}
