import type { BackendFactory, IQueueBackend } from 'bullmq';
import type { Clock } from '../../kernel/clock.js';
import { describeFault, type Log } from '../telemetry/log.js';

/** A connection of one worker, and how to end it. */
export interface WorkerConnection {
  connection: unknown;
  end: () => Promise<void>;
}

const LOG_INTERVAL_MS = 10_000;

/**
 * The store of the queues: all in which Redis and PostgreSQL differ. `@nestjs/bullmq` has no option
 * for the backend; so an application gives this object as the `connection` of its queues, and
 * `BackendQueue` and `BackendWorker` get the backend from it. Nothing is set for the whole process.
 */
export abstract class QueueBackend {
  /** What BullMQ calls to reach the store. */
  abstract readonly factory: BackendFactory<IQueueBackend, unknown>;
  /** How long a worker without jobs waits before it looks for one: a new job wakes it, a lost message does not. */
  abstract readonly idleSeconds: number;
  /** For adding and counting jobs; shared by all queues. */
  abstract readonly producerConnection: unknown;
  /** Those that this application has started. */
  readonly workers = new Set<{ close(): Promise<void> }>();
  private readonly loggedAt = new Map<string, number>();

  constructor(
    readonly log: Log,
    private readonly clock: Clock,
  ) {}

  abstract workerConnection(): WorkerConnection;

  /** After the last job was added. */
  abstract close(): Promise<void>;

  /** Logs one failure in ten seconds for each queue: a store that is away fails many times a second. */
  logFailure(queue: string, error: unknown): void {
    const now = this.clock.monotonicMs();
    if (now - (this.loggedAt.get(queue) ?? -Infinity) < LOG_INTERVAL_MS) return;
    this.loggedAt.set(queue, now);
    this.log.warn({ queue, err: describeFault(error) }, 'the store of the queue failed');
  }
}
