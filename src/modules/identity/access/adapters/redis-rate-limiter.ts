import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { storeError } from '../../../../platform/net/store-error.js';
import { decisionOf, depthUs, intervalUs } from '../domain/gcra.js';
import { RateLimiter, type Rate, type RateDecision } from '../domain/rate-limiter.js';

/** Waiting longer costs the caller more than an approximate limit. */
const COMMAND_TIMEOUT_MS = 100;
const CONNECT_TIMEOUT_MS = 1_000;
/** Reconnects when the server has sent nothing for this time, as after a broken connection. */
const SOCKET_TIMEOUT_MS = 2_000;
const QUIT_TIMEOUT_MS = 200;
const MAX_RECONNECT_DELAY_MS = 1_000;

/**
 * `domain/gcra.ts` as a Lua script, so that reading and writing are atomic, with Redis' own clock, so
 * that the clocks of processes do not matter.
 *
 * The time is formatted with all digits: Lua's default conversion keeps 14 digits, and microseconds
 * since 1970 have 16.
 */
const CONSUME = `
local interval, depth, cost = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local full = tonumber(redis.call('GET', KEYS[1]) or now)
local deficit = math.min(math.max(full - now, 0), depth)
local after = math.max(deficit + cost * interval, 0)
if after > depth then return { 0, deficit } end
if cost ~= 0 then
  redis.call('SET', KEYS[1], string.format('%.0f', now + after), 'PX', math.max(math.ceil(after / 1000), 1))
end
return { 1, after }
`;

/** ioredis sends EVALSHA, and EVAL when the server does not have the script. */
type WithConsume = Redis & {
  consumeFromBucket(
    key: string,
    interval: number,
    depth: number,
    cost: number,
  ): Promise<[allowed: 0 | 1, deficitUs: number]>;
};

/**
 * Buckets shared by all processes. Rejects at once when Redis is unavailable, and after a short timeout
 * when it is slow.
 */
export class RedisRateLimiter extends RateLimiter {
  private readonly redis: WithConsume;
  /** The cause; commands without a connection fail with a general error. */
  private connectionError: Error | null = null;

  /** @param url `redis://` or `rediss://`. Connects in `open`. */
  constructor(private readonly url: string) {
    super();
    this.redis = new Redis(url, {
      lazyConnect: true,
      connectTimeout: CONNECT_TIMEOUT_MS,
      commandTimeout: COMMAND_TIMEOUT_MS,
      socketTimeout: SOCKET_TIMEOUT_MS,
      disconnectTimeout: QUIT_TIMEOUT_MS,
      retryStrategy: (attempt) => Math.min(50 * attempt, MAX_RECONNECT_DELAY_MS),
      // A queued command would run when its caller no longer waits.
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      enableReadyCheck: false,
      scripts: { consumeFromBucket: { lua: CONSUME, numberOfKeys: 1 } },
    }) as WithConsume;
    // Errors reach the callers through their commands; without a listener ioredis would log them.
    this.redis.on('error', (error: Error) => (this.connectionError = error));
    this.redis.on('ready', () => (this.connectionError = null));
  }

  /** @param error thrown by `consume`. */
  override describe(error: unknown): Record<string, unknown> {
    const thrown = error instanceof Error ? error : new Error(String(error));
    return { ...storeError(this.connectionError ?? thrown, this.url) };
  }

  async consume(bucket: string, rate: Rate, cost = 1): Promise<RateDecision> {
    const key = `rcpt:rate:${bucket}`;
    const [allowed, deficitUs] = await this.redis.consumeFromBucket(
      key,
      intervalUs(rate),
      depthUs(rate),
      cost,
    );
    return decisionOf({ allowed: allowed === 1, deficitUs }, rate, cost);
  }

  /** Retries in the background when the first attempt fails or times out. */
  override async open(): Promise<void> {
    const connected = this.redis.connect().catch(() => undefined);
    await Promise.race([connected, delay(CONNECT_TIMEOUT_MS, undefined, { ref: false })]);
  }

  override async close(): Promise<void> {
    this.redis.disconnect();
  }
}
