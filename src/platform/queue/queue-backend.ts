import { Queue, type BackendFactory, type IQueueBackend, type QueueOptions, type RedisOptions } from 'bullmq';
import type { Clock } from '../../kernel/clock.js';
import { describeError, type Log } from '../telemetry/log.js';

/** The connection of one worker, and a function that closes it. */
export interface WorkerConnection {
  connection: unknown;
  end: () => Promise<void>;
}

interface QueueWorker {
  drain(graceMs: number): Promise<void>;
  /** Fetches no more jobs until `proceed`. */
  halt(): Promise<void>;
  proceed(): Promise<void>;
}

const LOG_INTERVAL_MS = 10_000;

/**
 * The store of the queues: contains all differences between Redis and PostgreSQL. `@nestjs/bullmq` has
 * no option for the backend, so this object is passed as the `connection` of the queues, and
 * `BackendQueue` and `BackendWorker` get the backend from it.
 */
export abstract class QueueBackend implements Pick<RedisOptions, 'connectionName'> {
  /** An option of Redis, because `@nestjs/bullmq` has a type for the connections to Redis only. */
  readonly connectionName = 'rcpt queue';
  abstract readonly factory: BackendFactory<IQueueBackend, unknown>;
  /** Interval at which an idle worker polls for jobs, in case a notification was lost. */
  abstract readonly idleSeconds: number;
  /** For adding and counting jobs; shared by all queues. */
  abstract readonly producerConnection: unknown;
  readonly workers = new Set<QueueWorker>();
  private readonly loggedAt = new Map<string, number>();

  constructor(
    readonly log: Log,
    private readonly clock: Clock,
  ) {}

  abstract workerConnection(): WorkerConnection;

  /** Call it after the last job was added. */
  abstract close(): Promise<void>;

  /** Logs at most one failure per queue in ten seconds: an unavailable store fails many times a second. */
  logFailure(queue: string, error: unknown): void {
    const now = this.clock.monotonicMs();
    if (now - (this.loggedAt.get(queue) ?? -Infinity) < LOG_INTERVAL_MS) return;
    this.loggedAt.set(queue, now);
    this.log.warn({ queue, err: describeError(error) }, 'the store of the queue failed');
  }
}

/** A BullMQ queue in the store that is passed as its connection. */
export class BackendQueue extends Queue<
  unknown,
  void,
  string,
  unknown,
  void,
  string,
  IQueueBackend,
  QueueBackend
> {
  constructor(name: string, options: QueueOptions<QueueBackend>) {
    super(name, options, (queue, { connection, ...rest }, extra) =>
      connection.factory(queue, { ...rest, connection: connection.producerConnection }, extra),
    );
    this.on('error', (error) => options.connection.logFailure(name, error));
  }
}
