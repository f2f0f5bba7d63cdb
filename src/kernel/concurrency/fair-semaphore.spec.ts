import { describe, expect, it } from '@jest/globals';
import { setImmediate as soon } from 'node:timers/promises';
import type { Requester } from './fair-queue.js';
import { FairSemaphore } from './fair-semaphore.js';

/** Named work that records its start and ends when it is released. */
function scene(total: number, perKey: number) {
  const slots = new FairSemaphore({ total, perKey });
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    slots,
    started,
    run: (...names: string[]) => {
      for (const name of names)
        void slots.run(name.charAt(0), () => {
          started.push(name);
          return new Promise<void>((resolve) => ends.set(name, resolve));
        });
    },
    end: async (name: string) => {
      ends.get(name)?.();
      await soon();
    },
  };
}

describe('a fair semaphore', () => {
  it('limits concurrency in total and per key', async () => {
    const { run, started } = scene(3, 2);
    run('a1', 'a2', 'a3', 'b1', 'b2');
    await soon();
    expect(started).toEqual(['a1', 'a2', 'b1']);
  });

  it('serves keys round-robin, whatever they have queued', async () => {
    const { run, started, end } = scene(1, 1);
    run('a1', 'a2', 'a3', 'b1', 'b2', 'c1');
    await soon();
    for (const name of ['a1', 'a2', 'b1', 'c1', 'a3']) await end(name);
    expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
  });

  it('serves others when one key has reached its limit', async () => {
    const { run, started, end } = scene(2, 1);
    run('a1', 'a2', 'a3', 'b1', 'b2');
    await soon();
    await end('b1');
    expect(started).toEqual(['a1', 'b1', 'b2']);
  });

  it('releases the slot of work that fails', async () => {
    const slots = new FairSemaphore({ total: 1, perKey: 1 });
    await expect(slots.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await slots.run('a', () => Promise.resolve('done'))).toBe('done');
  });

  it('counts waiting and running work', async () => {
    const { run, slots, end } = scene(1, 1);
    run('a1', 'a2', 'b1');
    await soon();
    expect([slots.countOf('a'), slots.countOf('b'), slots.countOf('c')]).toEqual([2, 1, 0]);
    await end('a1');
    expect(slots.countOf('a')).toBe(1);
  });

  const by = (team: string, priority: Requester['priority'] = 'single') => ({ team, priority });

  it('refuses requests of a key whose queue is full, and only those', async () => {
    const slots = new FairSemaphore({ total: 2, perKey: 1, queuedPerKey: 1 });
    const held = await slots.acquire(by('a'));
    const queued = slots.acquire(by('a'));
    expect([slots.isQueueFull(by('a')), await slots.acquire(by('a'))]).toEqual([true, null]);
    expect(await slots.acquire(by('b'))).not.toBeNull();
    held?.release();
    expect(await queued).not.toBeNull();
  });

  it('ends a wait with its signal, and keeps the others', async () => {
    const slots = new FairSemaphore({ total: 1, perKey: 1 });
    const held = await slots.acquire(by('a'));
    const hasty = new AbortController();
    const [first, second] = [slots.acquire(by('a'), hasty.signal), slots.acquire(by('a'))];
    hasty.abort();
    expect([await first, await slots.acquire(by('a'), hasty.signal)]).toEqual([null, null]);
    held?.release();
    const next = await second;
    expect(next).not.toBeNull();
    next?.release();
  });

  it('releases a slot once, also when the signal of its request aborts later', async () => {
    const slots = new FairSemaphore({ total: 1, perKey: 1 });
    const signal = new AbortController();
    const held = await slots.acquire(by('a'), signal.signal);
    signal.abort();
    const started: string[] = [];
    const next = slots.acquire(by('a')).then((slot) => (started.push('first'), slot));
    await soon();
    expect(started).toEqual([]);
    held?.release();
    held?.release();
    expect(await next).not.toBeNull();
    void slots.acquire(by('a')).then(() => started.push('second'));
    await soon();
    expect(started).toEqual(['first']);
  });

  it('reserves slots for keys that hold few', async () => {
    const slots = new FairSemaphore({ total: 4, perKey: 4, reserved: { slots: 2, few: 1 } });
    const started: string[] = [];
    for (const team of ['a', 'a', 'a', 'b', 'c']) void slots.acquire(by(team)).then(() => started.push(team));
    await soon();
    expect(started).toEqual(['a', 'a', 'b', 'c']);
  });

  it('serves single calls before lists', async () => {
    const slots = new FairSemaphore({ total: 1, perKey: 1 });
    const held = await slots.acquire(by('a'));
    const started: string[] = [];
    for (const priority of ['list', 'single'] as const)
      void slots.acquire(by('b', priority)).then(() => started.push(priority));
    held?.release();
    await soon();
    expect(started).toEqual(['single']);
  });
});
