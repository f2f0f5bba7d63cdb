import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { MemoryRateLimiter } from '../../../src/modules/identity/access/adapters/memory-rate-limiter.js';
import { RedisRateLimiter } from '../../../src/modules/identity/access/adapters/redis-rate-limiter.js';
import { FallbackRateLimiter } from '../../../src/modules/identity/access/adapters/fallback-rate-limiter.js';
import type {
  Rate,
  RateDecision,
  RateLimiter,
} from '../../../src/modules/identity/access/domain/rate-limiter.js';
import type { Log } from '../../../src/platform/telemetry/log.js';
import { SystemClock } from '../../../src/platform/time/system-clock.js';
import { anApp } from '../../support/app/app.js';
import { HealthRegistry } from '../../../src/kernel/service-state/health-registry.js';
import { FakeClock } from '../../support/time/fake-clock.js';
import { hasRedis, RedisServer } from '../../support/queue/redis-server.js';

/** Slow enough that no unit is refilled during a test. */
const SLOW: Rate = { perSecond: 0.1, burst: 10 };
const FAST: Rate = { perSecond: 20, burst: 1 };

/** Collects log lines about the shared limiter. */
class Heard implements Log {
  readonly lines: string[] = [];
  readonly debug = () => undefined;
  readonly error = () => undefined;
  readonly info = (_: object, message: string) => void this.lines.push(message);
  readonly warn = (_: object, message: string) => void this.lines.push(message);
}
const GONE = 'Redis is not available: rate limits are counted by each process for itself';
const BACK = 'Redis is available again: rate limits are shared';

const allowedOf = (decisions: RateDecision[]) => decisions.filter(({ allowed }) => allowed).length;
const atOnce = (limiter: RateLimiter, bucket: string, takes: number) =>
  Promise.all(Array.from({ length: takes }, () => limiter.consume(bucket, SLOW)));

const system = new SystemClock();
let redis: RedisServer;
beforeAll(async () => {
  redis = await RedisServer.onAFreePort();
  if (hasRedis) await redis.start();
});
afterAll(() => redis.kill());

const LIMITERS: [name: string, make: () => RateLimiter][] = [
  ['in memory', () => new MemoryRateLimiter(system)],
  ...(hasRedis ? [['on Redis', () => new RedisRateLimiter(redis.url)] as [string, () => RateLimiter]] : []),
];
const scope = hasRedis ? 'in memory and on Redis' : 'in memory only: no redis-server on PATH';

describe(`rate limits, ${scope}`, () => {
  describe.each(LIMITERS)('%s', (name, make) => {
    let limiter: RateLimiter;
    beforeAll(async () => {
      limiter = make();
      await limiter.open();
    });
    afterAll(() => limiter.close());

    it('a request that is given back can be taken again, and never fills the bucket beyond its burst', async () => {
      await atOnce(limiter, `${name} back`, 10);
      await limiter.giveBack(`${name} back`, SLOW);
      expect(allowedOf(await atOnce(limiter, `${name} back`, 5))).toBe(1);
      for (let n = 0; n < 30; n++) await limiter.giveBack(`${name} back`, SLOW);
      expect(allowedOf(await atOnce(limiter, `${name} back`, 30))).toBe(10);
    });

    it('a burst at once is exactly the burst', async () => {
      const decisions = await atOnce(limiter, `${name} burst`, 40);
      expect(allowedOf(decisions)).toBe(10);
      const refused = decisions.filter(({ allowed }) => !allowed);
      for (const { remaining, retryAfterSeconds, resetAfterSeconds } of refused) {
        expect(remaining).toBe(0);
        expect(retryAfterSeconds).toBeGreaterThan(8);
        expect(retryAfterSeconds).toBeLessThanOrEqual(10);
        expect(resetAfterSeconds).toBeGreaterThan(98);
        expect(resetAfterSeconds).toBeLessThanOrEqual(100);
      }
    });

    it('one more is allowed after the announced time', async () => {
      const bucket = `${name} later`;
      expect((await limiter.consume(bucket, FAST)).allowed).toBe(true);
      for (let n = 0; n < 3; n++) {
        const refused = await limiter.consume(bucket, FAST);
        expect(refused.allowed).toBe(false);
        await system.pause(Math.ceil(refused.retryAfterSeconds * 1000) + 1);
        expect((await limiter.consume(bucket, FAST)).allowed).toBe(true);
      }
    });

    it('peek returns the remaining requests and takes nothing', async () => {
      const bucket = `${name} look`;
      expect(await limiter.peek(bucket, SLOW)).toEqual({
        allowed: true,
        remaining: 10,
        retryAfterSeconds: 0,
        resetAfterSeconds: 0,
      });
      for (let n = 0; n < 20; n++) await limiter.peek(bucket, SLOW);
      expect((await limiter.consume(bucket, SLOW)).remaining).toBe(9);
    });

    it('several are taken together or not at all', async () => {
      const bucket = `${name} several`;
      expect((await limiter.consume(bucket, SLOW, 8)).remaining).toBe(2);
      expect(await limiter.consume(bucket, SLOW, 3)).toMatchObject({ allowed: false, remaining: 2 });
      expect((await limiter.consume(bucket, SLOW, 2)).allowed).toBe(true);
    });

    it('a team on a faster tier does not wait for the slower one’s refill', async () => {
      const bucket = `${name} risen`;
      await atOnce(limiter, bucket, 10);
      const { retryAfterSeconds } = await limiter.consume(bucket, { perSecond: 100, burst: 200 });
      expect(retryAfterSeconds).toBeLessThanOrEqual(0.01);
    });
  });
});

describe('an unavailable Redis', () => {
  it('that does not answer: this process limits by itself, and reports degraded', async () => {
    const mute = createServer((socket) => socket.resume()).listen(0, '127.0.0.1');
    await once(mute, 'listening');
    const { port } = mute.address() as AddressInfo;
    const heard = new Heard();
    const shared = new RedisRateLimiter(`redis://127.0.0.1:${port}`);
    const health = new HealthRegistry();
    const limiter = new FallbackRateLimiter(shared, new MemoryRateLimiter(system), system, health, heard);
    await limiter.open();
    expect(allowedOf(await atOnce(limiter, 'mute', 20))).toBe(10);
    expect([heard.lines, health.statuses()]).toEqual([[GONE], { redis: 'degraded' }]);
    await limiter.close();
    mute.close();
  });

  it('that refuses connections: the same, and the start is not delayed', async () => {
    const heard = new Heard();
    const nowhere = await RedisServer.onAFreePort();
    const shared = new RedisRateLimiter(nowhere.url);
    const limiter = new FallbackRateLimiter(
      shared,
      new MemoryRateLimiter(system),
      system,
      new HealthRegistry(),
      heard,
    );
    await limiter.open();
    expect(heard.lines).toEqual([GONE]);
    expect(allowedOf(await atOnce(limiter, 'refused', 20))).toBe(10);
    await limiter.close();
  });
});

// Needs a real Redis; without one, the name of the first suite says so.
if (hasRedis) {
  describe('a Redis', () => {
    let client: Redis;
    beforeAll(() => {
      client = new Redis(redis.url);
    });
    afterAll(() => client.disconnect());

    it('is shared: two processes together allow no more than one', async () => {
      const limiters = [new RedisRateLimiter(redis.url), new RedisRateLimiter(redis.url)];
      await Promise.all(limiters.map((limiter) => limiter.open()));
      const decisions = await Promise.all(limiters.map((limiter) => atOnce(limiter, 'shared', 25)));
      expect(allowedOf(decisions.flat())).toBe(10);
      await Promise.all(limiters.map((limiter) => limiter.close()));
    });

    it('keeps a bucket until it is full again, and none for peek', async () => {
      const limiter = new RedisRateLimiter(redis.url);
      await limiter.open();
      await limiter.peek('looked at', SLOW);
      expect(await client.exists('rcpt:rate:looked at')).toBe(0);
      await limiter.consume('kept', SLOW, 3);
      expect(Math.ceil((await client.pttl('rcpt:rate:kept')) / 5_000)).toBe(6);
      // In microseconds: Lua's default conversion would round to a tenth of a millisecond.
      expect(await client.get('rcpt:rate:kept')).toMatch(/^\d{16}$/);
      await limiter.close();
    });

    it('that has lost the script receives it again', async () => {
      const limiter = new RedisRateLimiter(redis.url);
      await limiter.open();
      await limiter.consume('taught', SLOW);
      await limiter.consume('taught', SLOW);
      await client.script('FLUSH');
      expect((await limiter.consume('taught', SLOW)).remaining).toBe(7);
      await limiter.close();
    });
  });

  describe('a Redis that is interrupted', () => {
    let own: RedisServer;
    let clock: FakeClock;
    let heard: Heard;
    let limiter: FallbackRateLimiter;
    beforeEach(async () => {
      own = await RedisServer.onAFreePort();
      await own.start();
      clock = new FakeClock();
      heard = new Heard();
      const memory = new MemoryRateLimiter(clock);
      limiter = new FallbackRateLimiter(
        new RedisRateLimiter(own.url),
        memory,
        clock,
        new HealthRegistry(),
        heard,
      );
      await limiter.open();
    });
    afterEach(async () => {
      await limiter.close();
      await own.kill();
    });
    const isBack = async () => {
      await clock.advance(1_000);
      await limiter.peek('any', SLOW);
      return heard.lines.includes(BACK);
    };

    it('by a kill: no call fails and this process limits by itself; afterwards it is used again', async () => {
      expect(allowedOf(await atOnce(limiter, 'team', 12))).toBe(10);
      const underWay = atOnce(limiter, 'team', 5);
      await own.kill();
      await underWay;
      expect(allowedOf(await atOnce(limiter, 'another', 12))).toBe(10);
      await atOnce(limiter, 'another', 12);
      expect(heard.lines).toEqual([GONE]);
      await own.start();
      await until(isBack);
      expect(heard.lines).toEqual([GONE, BACK]);
      // The restarted Redis is empty, so its buckets are full; this process's own was not.
      expect((await limiter.consume('another', SLOW)).remaining).toBe(9);
    });

    it('by a stop: one call waits briefly, the next ones not at all', async () => {
      own.signal('SIGSTOP');
      expect(allowedOf(await atOnce(limiter, 'team', 12))).toBe(10);
      // If each waited for the time limit of a command, 100 ms, the test would exceed its own.
      for (let n = 0; n < 1_000; n++) await limiter.consume('team', SLOW);
      expect(heard.lines).toEqual([GONE]);
      own.signal('SIGCONT');
      await until(isBack);
      expect(heard.lines).toEqual([GONE, BACK]);
    });
  });

  it('two services on one Redis share a team’s bucket, and close their connections at shutdown', async () => {
    const env = { REDIS_URL: redis.url };
    const one = await anApp(env);
    const two = await anApp({ ...one.shared, ...env });
    const { liveKey } = await one.anAccount('suspended');
    const ask = (app: typeof one) => app.get('/v1/verify?email=no-address', liveKey);
    const answers = await Promise.all(Array.from({ length: 24 }, (_, n) => ask(n % 2 === 0 ? one : two)));
    const through = answers.filter(({ status }) => status === 402).length;
    // One is refilled every second while they run.
    expect(through).toBeGreaterThanOrEqual(5);
    expect(through).toBeLessThanOrEqual(7);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(24 - through);
    await two.stop();
    await one.stop();
    const client = new Redis(redis.url);
    await until(async () => connections(await client.client('LIST')) === 1);
    client.disconnect();
  });
}

const connections = (list: unknown) => String(list).trim().split('\n').length;

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await system.pause(20);
}
