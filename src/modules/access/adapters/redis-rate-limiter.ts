import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { decisionOf, depthUs, intervalUs } from '../domain/gcra.js';
import { RateLimiter, type Rate, type RateDecision } from '../domain/rate-limiter.js';

/** An answer that comes later than this is worth less than the time of who waits for it. */
const COMMAND_TIMEOUT_MS = 100;
const CONNECT_TIMEOUT_MS = 1_000;
/** A server that vanished without a word is told from a slow one, and dialled anew. */
const SILENCE_MS = 2_000;
/** A server that does not answer a good-bye is not waited for. */
const PARTING_MS = 200;
const RECONNECT_MOST_MS = 1_000;

/**
 * `domain/gcra.ts` once more, where the bucket is, so that no other process comes
 * between reading and writing, and by Redis' own clock, so that clocks need not agree.
 *
 * The moment is written out in full: Lua's own conversion keeps 14 digits, and
 * microseconds since 1970 have 16.
 */
const TAKE = `
local interval, depth, cost = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local full = tonumber(redis.call('GET', KEYS[1]) or now)
local lack = math.min(math.max(full - now, 0), depth)
local after = lack + cost * interval
if after > depth then return { 0, lack } end
if cost > 0 then
  redis.call('SET', KEYS[1], string.format('%.0f', now + after), 'PX', math.ceil(after / 1000))
end
return { 1, after }
`;

/** ioredis sends the script's digest (EVALSHA), and its text where the server does not know it. */
type WithTake = Redis & {
  takeFromBucket(
    key: string,
    interval: number,
    depth: number,
    cost: number,
  ): Promise<[allowed: 0 | 1, lackUs: number]>;
};

/** Buckets that all processes share. Rejects at once when Redis is away, and soon when it is slow. */
export class RedisRateLimiter extends RateLimiter {
  private readonly redis: WithTake;

  /** @param url `redis://` or `rediss://`. Dials nothing before `open`. */
  constructor(url: string) {
    super();
    this.redis = new Redis(url, {
      lazyConnect: true,
      connectTimeout: CONNECT_TIMEOUT_MS,
      commandTimeout: COMMAND_TIMEOUT_MS,
      socketTimeout: SILENCE_MS,
      disconnectTimeout: PARTING_MS,
      retryStrategy: (attempt) => Math.min(50 * attempt, RECONNECT_MOST_MS),
      // What could not be asked in time is not asked later: nobody waits for it any more.
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      enableReadyCheck: false,
      scripts: { takeFromBucket: { lua: TAKE, numberOfKeys: 1 } },
    }) as WithTake;
    // Whoever asks learns of it; unheard it would be printed.
    this.redis.on('error', () => undefined);
  }

  async take(bucket: string, rate: Rate, cost = 1): Promise<RateDecision> {
    const key = `rcpt:rate:${bucket}`;
    const [allowed, lackUs] = await this.redis.takeFromBucket(key, intervalUs(rate), depthUs(rate), cost);
    return decisionOf({ allowed: allowed === 1, lackUs }, rate, cost);
  }

  /** Goes on trying in the background when the first attempt fails, or takes too long. */
  override async open(): Promise<void> {
    const connected = this.redis.connect().catch(() => undefined);
    await Promise.race([connected, delay(CONNECT_TIMEOUT_MS, undefined, { ref: false })]);
  }

  override async close(): Promise<void> {
    this.redis.disconnect();
  }
}
