import { describe, expect, it } from '@jest/globals';
import { Lifecycle } from './lifecycle.js';

/** Drains, and resolves when the time for work under way is over. */
async function cutOff(lifecycle: Lifecycle, graceMs: number): Promise<void> {
  // The timer of the grace alone keeps no process alive.
  const alive = setInterval(() => undefined, 1_000);
  const cut = new Promise<void>((resolve) => lifecycle.onDeadline(resolve));
  lifecycle.drain(graceMs);
  await cut;
  clearInterval(alive);
}

describe('Lifecycle', () => {
  it('does not begin draining', () => {
    expect(new Lifecycle().isDraining).toBe(false);
  });

  it('drains at once, and ends what is under way when the grace is over, not before', async () => {
    const lifecycle = new Lifecycle();
    const start = performance.now();
    let ended = 0;
    lifecycle.onDeadline(() => ended++);
    lifecycle.onDeadline(() => ended++);
    const over = cutOff(lifecycle, 50);
    expect([lifecycle.isDraining, ended]).toEqual([true, 0]);
    await over;
    expect([lifecycle.isDraining, ended]).toEqual([true, 2]);
    expect(performance.now() - start).toBeGreaterThanOrEqual(49);
  });

  it('leaves alone what was done in time', async () => {
    const lifecycle = new Lifecycle();
    let ended = 0;
    const done = lifecycle.onDeadline(() => ended++);
    done();
    await cutOff(lifecycle, 1);
    expect(ended).toBe(0);
  });

  it('ends at once what begins too late', async () => {
    const lifecycle = new Lifecycle();
    await cutOff(lifecycle, 1);
    let ended = 0;
    lifecycle.onDeadline(() => ended++);
    expect(ended).toBe(1);
  });
});
