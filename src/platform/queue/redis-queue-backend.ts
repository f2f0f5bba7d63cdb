import { setTimeout as delay } from 'node:timers/promises';
import type { BackendFactory, IQueueBackend } from 'bullmq';
import { Redis, type RedisOptions } from 'ioredis';
import type { HealthRegistry } from '../../kernel/health-registry.js';
import type { Log } from '../telemetry/log.js';
import type { QueueBackend } from './queue-backend.js';

const CONNECT_TIMEOUT_MS = 1_000;
/** Whoever rings has committed already: better no ring than a caller who waits for it. */
const COMMAND_TIMEOUT_MS = 1_000;
/** A server that vanished without a word is told from a slow one, and dialled anew. */
const SILENCE_MS = 2_000;
const PARTING_MS = 200;
const RECONNECT_MOST_MS = 1_000;
/** Has all that BullMQ uses at its best. */
const LEAST_VERSION = [6, 2] as const;

const DIALLING = {
  lazyConnect: true,
  connectTimeout: CONNECT_TIMEOUT_MS,
  disconnectTimeout: PARTING_MS,
  keepAlive: 10_000,
  retryStrategy: (attempt) => Math.min(50 * attempt, RECONNECT_MOST_MS),
} satisfies RedisOptions;

/** BullMQ stops listening to what it duplicated and could not use, and an error that nobody hears ends the process. */
class SilencedRedis extends Redis {
  override duplicate(changes?: Partial<RedisOptions>): Redis {
    return super.duplicate(changes).on('error', () => undefined);
  }
}

/** Rings are kept in Redis. Whoever rings fails soon when it is away, whoever works waits for it to come back. */
export class RedisQueueBackend implements QueueBackend {
  readonly idleSeconds = 5;
  private readonly redis: Redis;
  private dialled: Promise<void> | null = null;
  private isAway = false;
  private left = false;

  /** @param url `redis://` or `rediss://`. Dials nothing before `open`. */
  constructor(
    private readonly url: string,
    health: HealthRegistry,
    private readonly log: Log,
  ) {
    health.register('redis', () => (this.isAway ? 'degraded' : 'ok'));
    this.redis = new Redis(url, {
      ...DIALLING,
      commandTimeout: COMMAND_TIMEOUT_MS,
      socketTimeout: SILENCE_MS,
      // What could not be rung in time is rung by a sweep, not by a command that was kept.
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      enableReadyCheck: false,
    });
    this.redis.on('error', () => this.setAway(true));
    this.redis.on('close', () => this.setAway(true));
    this.redis.on('ready', () => this.setAway(false));
    this.redis.on('ready', () => void this.inspect().catch(() => undefined));
  }

  async factory(): Promise<BackendFactory<IQueueBackend, unknown>> {
    const { createRedisBackend } = await import('bullmq');
    return createRedisBackend as unknown as BackendFactory<IQueueBackend, unknown>;
  }

  open(): Promise<void> {
    return (this.dialled ??= this.dial());
  }

  /** Goes on trying in the background. */
  private async dial(): Promise<void> {
    const connected = this.redis.connect().catch(() => undefined);
    await Promise.race([connected, delay(CONNECT_TIMEOUT_MS, undefined, { ref: false })]);
  }

  async producerConnection(): Promise<unknown> {
    await this.open();
    if (this.redis.status !== 'ready') throw new Error('Redis does not answer');
    return this.redis;
  }

  workerConnection(): { connection: unknown; end: () => Promise<void> } {
    // BullMQ asks for the first; it makes a second connection of the same kind, on which it waits.
    const redis = new SilencedRedis(this.url, { ...DIALLING, maxRetriesPerRequest: null });
    redis.on('error', () => undefined);
    return { connection: redis, end: async () => redis.disconnect() };
  }

  async close(): Promise<void> {
    this.left = true;
    this.redis.disconnect();
  }

  /** Writes a line when it changes. What befalls a connection that we have left says nothing of Redis. */
  private setAway(away: boolean): void {
    if (away === this.isAway || this.left) return;
    this.isAway = away;
    if (away) this.log.warn({}, 'Redis does not answer: what is to be done waits for the sweeps');
    else this.log.info({}, 'Redis answers again: work is rung for at once');
  }

  /** What BullMQ would print past our log. */
  private async inspect(): Promise<void> {
    const info = await this.redis.info();
    const version = /^redis_version:([\d.]+)/m.exec(info)?.[1] ?? '';
    const [major = 0, minor = 0] = version.split('.').map(Number);
    if (major < LEAST_VERSION[0] || (major === LEAST_VERSION[0] && minor < LEAST_VERSION[1]))
      this.log.warn({ version }, `Redis should be at least version ${LEAST_VERSION.join('.')}`);
    const policy = /^maxmemory_policy:(\S+)/m.exec(info)?.[1] ?? 'noeviction';
    if (policy !== 'noeviction')
      this.log.warn({ policy }, 'Redis may throw rings away; set maxmemory-policy to noeviction');
  }
}
