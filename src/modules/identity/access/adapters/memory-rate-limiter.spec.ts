import { describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../../../test/support/time/fake-clock.js';
import { MemoryRateLimiter } from './memory-rate-limiter.js';

const FREE = { perSecond: 2, burst: 10 };

describe('buckets in memory', () => {
  it('are independent of each other', async () => {
    const limiter = new MemoryRateLimiter(new FakeClock());
    for (let n = 0; n < 10; n++) await limiter.consume('a', FREE);
    expect((await limiter.consume('a', FREE)).allowed).toBe(false);
    expect(await limiter.consume('b', FREE)).toMatchObject({ allowed: true, remaining: 9 });
  });

  it('fill with the clock, up to the burst', async () => {
    const clock = new FakeClock();
    const limiter = new MemoryRateLimiter(clock);
    await limiter.consume('a', FREE, 10);
    await clock.advance(1_500);
    expect((await limiter.peek('a', FREE)).remaining).toBe(3);
    await clock.advance(3_600_000);
    expect(await limiter.peek('a', FREE)).toMatchObject({ remaining: 10, resetAfterSeconds: 0 });
  });

  it('are not changed by peek', async () => {
    const limiter = new MemoryRateLimiter(new FakeClock());
    for (let n = 0; n < 20; n++) await limiter.peek('a', FREE);
    expect((await limiter.consume('a', FREE)).remaining).toBe(9);
  });

  it('are limited in number: the least recently used is dropped', async () => {
    const limiter = new MemoryRateLimiter(new FakeClock(), 3);
    for (const bucket of ['a', 'b', 'c', 'a', 'd']) await limiter.consume(bucket, FREE);
    const remaining = async (bucket: string) => (await limiter.peek(bucket, FREE)).remaining;
    expect([await remaining('a'), await remaining('c'), await remaining('d')]).toEqual([8, 9, 9]);
    expect(await remaining('b')).toBe(10);
  });
});
