import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { storeFault } from '../../../platform/net/store-fault.js';

const COMMAND_TIMEOUT_MS = 1_000;
const CONNECT_TIMEOUT_MS = 1_000;
/** Reconnects when the server has sent nothing for this time, as after a broken connection. */
const SOCKET_TIMEOUT_MS = 2_000;
const DISCONNECT_TIMEOUT_MS = 200;
const MAX_RETRY_DELAY_MS = 1_000;

/** The connection for what the processes share. A command fails at once while Redis is unavailable. */
export class RedisSharedClient {
  private readonly redis: Redis;
  private readonly digests = new Map<string, string>();
  /** The cause; commands without a connection fail with a general error. */
  private connectionError: Error | null = null;

  /** @param url `redis://` or `rediss://`. */
  constructor(private readonly url: string) {
    this.redis = new Redis(url, {
      connectTimeout: CONNECT_TIMEOUT_MS,
      commandTimeout: COMMAND_TIMEOUT_MS,
      socketTimeout: SOCKET_TIMEOUT_MS,
      disconnectTimeout: DISCONNECT_TIMEOUT_MS,
      keepAlive: 10_000,
      retryStrategy: (attempt) => Math.min(50 * attempt, MAX_RETRY_DELAY_MS),
      lazyConnect: true,
      // A queued command would run when its answer is no longer awaited.
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      enableReadyCheck: false,
    });
    this.redis.on('error', (error: Error) => (this.connectionError = error));
    this.redis.on('ready', () => (this.connectionError = null));
  }

  /** Waits for at most a second; reconnects continue in the background. */
  async open(): Promise<void> {
    const connected = this.redis.connect().catch(() => undefined);
    await Promise.race([connected, delay(CONNECT_TIMEOUT_MS, undefined, { ref: false })]);
  }

  /** Runs a Lua script: EVALSHA, and EVAL if the server does not have it. */
  async run<T>(script: string, keys: readonly string[], values: readonly (string | number)[]): Promise<T> {
    const digest = this.digests.get(script) ?? createHash('sha1').update(script).digest('hex');
    this.digests.set(script, digest);
    const rest = [keys.length, ...keys, ...values];
    try {
      return (await this.redis.call('EVALSHA', digest, ...rest)) as T;
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
      return (await this.redis.call('EVAL', script, ...rest)) as T;
    }
  }

  /** Fields for the log, without the password of the URL. */
  describe(error: unknown): Record<string, unknown> {
    const thrown = error instanceof Error ? error : new Error(String(error));
    return { ...storeFault(this.connectionError ?? thrown, this.url) };
  }

  close(): void {
    this.redis.disconnect();
  }
}
