import { setTimeout as delay } from 'node:timers/promises';
import { createRedisBackend, type ConnectionOptions } from 'bullmq';
import { Redis, type RedisOptions } from 'ioredis';
import type { Clock } from '../../kernel/clock.js';
import type { HealthRegistry } from '../../kernel/service-state/health-registry.js';
import type { Log } from '../telemetry/log.js';
import { storeError } from '../net/store-error.js';
import { QueueBackend, type WorkerConnection } from './queue-backend.js';

const CONNECT_TIMEOUT_MS = 1_000;
/** Of the connection that adds jobs. */
export interface ProducerTimeouts {
  commandMs: number;
  /** Detects a connection that was lost without a close, and reconnects. */
  socketMs: number;
}
/** Short: the work of the job is already committed, and a sweep enqueues missing jobs. */
const TIMEOUTS: ProducerTimeouts = { commandMs: 1_000, socketMs: 2_000 };
const DISCONNECT_TIMEOUT_MS = 200;
const MAX_RETRY_DELAY_MS = 1_000;

const CONNECTING = {
  connectTimeout: CONNECT_TIMEOUT_MS,
  disconnectTimeout: DISCONNECT_TIMEOUT_MS,
  keepAlive: 10_000,
  retryStrategy: (attempt) => Math.min(50 * attempt, MAX_RETRY_DELAY_MS),
} satisfies RedisOptions;

/**
 * The connection of a worker. BullMQ duplicates it for its blocking command and no longer listens to
 * the errors of a connection that it has closed; an error without a listener would end the process.
 */
class WorkerRedis extends Redis {
  private readonly duplicates: Redis[] = [];

  override duplicate(changes?: Partial<RedisOptions>): Redis {
    const duplicate = super.duplicate(changes).on('error', () => undefined);
    this.duplicates.push(duplicate);
    return duplicate;
  }

  disconnectAll(): void {
    for (const connection of [...this.duplicates, this]) connection.disconnect();
  }
}

/** Jobs are in Redis. While Redis is unavailable, adding a job fails immediately, and workers wait. */
export class RedisQueueBackend extends QueueBackend {
  override readonly idleSeconds = 5;
  override readonly producerConnection: Redis;
  private isAway = false;
  private isClosed = false;

  /** @param url `redis://` or `rediss://`. Connects in `open`. */
  constructor(
    private readonly url: string,
    health: HealthRegistry,
    log: Log,
    clock: Clock,
    timeouts = TIMEOUTS,
  ) {
    super(log, clock);
    health.register('redis', () => (this.isAway ? 'degraded' : 'ok'));
    this.producerConnection = new Redis(url, {
      ...CONNECTING,
      lazyConnect: true,
      commandTimeout: timeouts.commandMs,
      socketTimeout: timeouts.socketMs,
      // A job that cannot be added in time is added by a sweep, not by a queued command.
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      enableReadyCheck: false,
    });
    this.producerConnection.on('error', (error: Error) => this.setAway(true, error));
    this.producerConnection.on('close', () => this.setAway(true));
    this.producerConnection.on('ready', () => this.setAway(false));
  }

  override readonly factory: QueueBackend['factory'] = (queue, options, extra = {}) =>
    createRedisBackend(
      queue,
      {
        ...options,
        connection: options.connection as ConnectionOptions,
        // Otherwise the first job would wait if Redis is unavailable when the process starts.
        skipWaitingForReady: extra.withBlockingConnection !== true,
      },
      extra,
    );

  /** Waits for at most a second; reconnects continue in the background. */
  async open(): Promise<void> {
    const connected = this.producerConnection.connect().catch(() => undefined);
    await Promise.race([connected, delay(CONNECT_TIMEOUT_MS, undefined, { ref: false })]);
  }

  override workerConnection(): WorkerConnection {
    const redis = new WorkerRedis(this.url, { ...CONNECTING, maxRetriesPerRequest: null });
    redis.on('error', () => undefined);
    return { connection: redis, end: async () => redis.disconnectAll() };
  }

  override async close(): Promise<void> {
    this.isClosed = true;
    this.producerConnection.disconnect();
  }

  /** Logs a change of state. Errors after `close` are ignored. */
  private setAway(away: boolean, error = new Error('Connection is closed.')): void {
    if (away === this.isAway || this.isClosed) return;
    this.isAway = away;
    if (away)
      this.log.warn({ ...storeError(error, this.url) }, 'Redis is not available: jobs wait for the sweeps');
    else this.log.info({}, 'Redis is available again: jobs are enqueued at once');
  }
}
