import { describe, expect, it } from '@jest/globals';
import { setImmediate as soon } from 'node:timers/promises';
import { OwnerLimiter } from './owner-limiter.js';

/** Named work that records its start and ends when it is released. */
function scene(all: number, perOwner: number) {
  const slots = new OwnerLimiter(all, perOwner);
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

describe('the owner limiter', () => {
  it('limits concurrency in total and per owner', async () => {
    const { run, started } = scene(3, 2);
    run('a1', 'a2', 'a3', 'b1', 'b2');
    await soon();
    expect(started).toEqual(['a1', 'a2', 'b1']);
  });

  it('serves owners round-robin, whatever they have queued', async () => {
    const { run, started, end } = scene(1, 1);
    run('a1', 'a2', 'a3', 'b1', 'b2', 'c1');
    await soon();
    for (const name of ['a1', 'a2', 'b1', 'c1', 'a3']) await end(name);
    expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
  });

  it('serves others when one owner has reached its limit', async () => {
    const { run, started, end } = scene(2, 1);
    run('a1', 'a2', 'a3', 'b1', 'b2');
    await soon();
    await end('b1');
    expect(started).toEqual(['a1', 'b1', 'b2']);
  });

  it('releases the slot of work that fails', async () => {
    const slots = new OwnerLimiter(1, 1);
    await expect(slots.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(slots.countOf('a')).toBe(0);
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
});
