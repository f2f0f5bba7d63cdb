import { describe, expect, it } from '@jest/globals';
import { Lifecycle } from './lifecycle.js';

/** Starts draining and resolves at the deadline. */
async function drainToDeadline(lifecycle: Lifecycle): Promise<void> {
  // The deadline timer is unref'd and does not keep the process alive.
  const keepAlive = setInterval(() => undefined, 1_000);
  const deadline = new Promise<void>((resolve) => lifecycle.onDeadline(resolve));
  lifecycle.drain();
  await deadline;
  clearInterval(keepAlive);
}

describe('Lifecycle', () => {
  it('is not draining initially', () => {
    expect(new Lifecycle().isDraining).toBe(false);
  });

  it('drains immediately and calls the deadline callbacks after the grace period, not before', async () => {
    const lifecycle = new Lifecycle(50);
    const start = performance.now();
    let ended = 0;
    lifecycle.onDeadline(() => ended++);
    lifecycle.onDeadline(() => ended++);
    const deadline = drainToDeadline(lifecycle);
    expect([lifecycle.isDraining, ended]).toEqual([true, 0]);
    await deadline;
    expect([lifecycle.isDraining, ended]).toEqual([true, 2]);
    expect(performance.now() - start).toBeGreaterThanOrEqual(49);
  });

  it('does not call a callback that was removed before the deadline', async () => {
    const lifecycle = new Lifecycle(1);
    let ended = 0;
    const done = lifecycle.onDeadline(() => ended++);
    done();
    await drainToDeadline(lifecycle);
    expect(ended).toBe(0);
  });

  it('calls a callback immediately when the deadline has passed', async () => {
    const lifecycle = new Lifecycle(1);
    await drainToDeadline(lifecycle);
    let ended = 0;
    lifecycle.onDeadline(() => ended++);
    expect(ended).toBe(1);
  });
});
