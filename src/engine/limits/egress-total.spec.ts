import { describe, expect, it } from '@jest/globals';
import { setMaxListeners } from 'node:events';
import { setImmediate as soon } from 'node:timers/promises';
import type { Priority } from '../../kernel/concurrency/fair-queue.js';
import type { Slot } from '../../kernel/concurrency/fair-semaphore.js';
import { ConnectionPermits, NO_SHARED_PERMITS, type ConnectionUse } from './connection-permits.js';
import { EgressTotal } from './egress-total.js';

const NEVER = new AbortController().signal;
setMaxListeners(0, NEVER);

const aTotal = (permits: ConnectionPermits = NO_SHARED_PERMITS) => new EgressTotal('one', 180, permits);
const by = (team: string, priority: Priority = 'list') => ({ team, priority });

describe('the connections of an egress', () => {
  it('are 180, and another one for each that is closed', async () => {
    const total = aTotal();
    const slots: Slot[] = [];
    const acquire = (team: string) =>
      total.acquire(by(team), NEVER).then((slot) => void (slot && slots.push(slot)));
    for (let n = 0; n < 181; n += 1) void acquire(`team ${n}`);
    await soon();
    expect(slots).toHaveLength(180);
    slots[0]!.release();
    await soon();
    expect(slots).toHaveLength(181);
  });

  it('are not waited for any more by a request that was aborted', async () => {
    const total = aTotal();
    for (let n = 0; n < 180; n += 1) await total.acquire(by(`team ${n}`), NEVER);
    const caller = new AbortController();
    const waiting = total.acquire(by('a'), caller.signal);
    caller.abort();
    expect(await waiting).toBeNull();
  });

  it('are given to a single call at once, and to teams in turns, while a list waits', async () => {
    const total = aTotal();
    const got: string[] = [];
    const slots: Slot[] = [];
    const acquire = (name: string, requester = by(name)) =>
      void total.acquire(requester, NEVER).then((slot) => (got.push(name), slots.push(slot!)));
    for (let n = 0; n < 2_000; n += 1) acquire('list', by('a'));
    await soon();
    expect(got).toHaveLength(162);
    acquire('other list', by('b'));
    acquire('single', by('a', 'single'));
    await soon();
    expect(got.slice(162)).toEqual(['other list', 'single']);
    for (let n = 0; n < 40; n += 1) acquire('b');
    await soon();
    for (const slot of slots.slice(0, 20)) slot.release();
    await soon();
    expect(got.filter((name) => name === 'b').length).toBeGreaterThanOrEqual(8);
  });

  it('are those that other processes leave, and some more than are used are requested', async () => {
    const uses: ConnectionUse[] = [];
    let allowed = 0;
    let onChange = (): void => undefined;
    const permits = new (class extends ConnectionPermits {
      override permitsFor(_egress: string, _provider: string, call: () => void) {
        onChange = call;
        const update = (use: ConnectionUse) => void uses.push(use);
        return {
          get allowed() {
            return allowed;
          },
          others: 0,
          othersHeld: 0,
          processes: 2,
          total: Infinity,
          update,
          onOpening: () => undefined,
        };
      }
    })();
    const total = aTotal(permits);
    const slots: Slot[] = [];
    for (let n = 0; n < 300; n += 1)
      void total.acquire(by(`team ${n}`), NEVER).then((slot) => slots.push(slot!));
    await soon();
    expect([slots.length, uses.at(-1)]).toMatchObject([0, { held: 0, wanted: 180, queued: 300 }]);
    allowed = 90;
    onChange();
    await soon();
    expect([slots.length, uses.at(-1)]).toMatchObject([90, { held: 90, wanted: 180, limit: 180 }]);
    // Another process got its share: no further connection until enough are closed.
    allowed = 60;
    for (const slot of slots.slice(0, 30)) slot.release();
    await soon();
    expect([slots.length, uses.at(-1)]).toMatchObject([90, { held: 60 }]);
  });
});
