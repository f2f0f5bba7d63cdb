import { beforeEach, describe, expect, it } from '@jest/globals';
import { aPlan } from '../../../test/support/verification/warmup.js';
import { MemoryWarmupStore } from '../../../test/support/verification/memory-warmup-store.js';
import { AdjustableClock } from '../../../test/support/time/adjustable-clock.js';
import { EgressWarmup } from './egress-warmup.js';
import type { WarmupChange, WarmupDay, WarmupTime } from './warmup.js';
import type { WarmupKey } from './warmup-store.js';
import { DAY_MS } from '../../kernel/durations.js';

const plan = aPlan({ google: 100, yahoo: 40 });

/** A store that is shared by several processes, and can fail. */
class SharedStore extends MemoryWarmupStore {
  requests = 0;
  fault: Error | null = null;

  override async change(
    key: WarmupKey,
    next: (last: WarmupDay, time: WarmupTime) => WarmupChange,
  ): Promise<WarmupChange> {
    this.requests += 1;
    if (this.fault !== null) throw this.fault;
    return super.change(key, next);
  }
}

let clock: AdjustableClock;
let store: SharedStore;
let faults: unknown[];
const aProcess = (from: SharedStore | null = store) =>
  new EgressWarmup({
    plan,
    store: from,
    isWarm: (egress) => egress === 'warm',
    nowMs: () => clock.now().getTime(),
    onStoreError: (error) => faults.push(error),
  });
let warmup: EgressWarmup;
beforeEach(() => {
  clock = new AdjustableClock();
  clock.stop();
  store = new SharedStore(clock);
  faults = [];
  warmup = aProcess();
});

const google = { egress: 'a', provider: 'google', team: 'team_1' };
const takeMany = async (count: number, from = warmup) =>
  (await Promise.all(Array.from({ length: count }, () => from.record({ ...google, kind: 'probe' })))).filter(
    Boolean,
  ).length;

describe('the probes of a new egress', () => {
  it('are granted up to the ceiling, and concurrent ones with one request to the store', async () => {
    expect(await takeMany(150)).toBe(100);
    expect(store.requests).toBe(2);
  });

  it('are granted up to the ceiling for all processes together', async () => {
    const others = [aProcess(), aProcess()];
    const granted = await Promise.all([warmup, ...others].map((process) => takeMany(60, process)));
    expect(granted.reduce((sum, count) => sum + count, 0)).toBe(100);
  });

  it('above the ceiling are requested from the store once a minute only', async () => {
    await takeMany(101);
    const { requests } = store;
    await takeMany(50);
    expect(store.requests).toBe(requests);
    clock.advance(60_000);
    await takeMany(1);
    expect(store.requests).toBe(requests + 1);
  });

  it('are granted again on the next day, as many as the day before allows', async () => {
    await takeMany(101);
    clock.advance(DAY_MS);
    expect(await takeMany(300)).toBe(200);
  });

  it('are granted without a request to the store once the ceiling has ended', async () => {
    for (const ceiling of [100, 200, 400, 800]) {
      expect(await takeMany(ceiling + 1)).toBe(ceiling);
      clock.advance(DAY_MS);
    }
    await warmup.record({ ...google, kind: 'probe' });
    const { requests } = store;
    expect(await takeMany(5_000)).toBe(5_000);
    expect(store.requests).toBe(requests);
  });

  it('that were not sent are returned', async () => {
    expect(await takeMany(100)).toBe(100);
    await warmup.record({ ...google, kind: 'return' });
    expect(await takeMany(2)).toBe(1);
  });

  it('are not limited at other providers, or for an egress that is warm', async () => {
    expect(await warmup.record({ ...google, provider: 'apple', kind: 'probe' })).toBe(true);
    expect(await warmup.record({ ...google, egress: 'warm', kind: 'probe' })).toBe(true);
    expect(store.requests).toBe(0);
  });

  it('have no ceiling in a process without a store', async () => {
    expect(await takeMany(150, aProcess(null))).toBe(150);
    expect(store.requests).toBe(0);
  });

  it('are not sent while the store is not available, with a retry every five seconds', async () => {
    store.fault = new Error('no database');
    expect(await takeMany(10)).toBe(0);
    expect([store.requests, faults.length]).toEqual([1, 1]);
    store.fault = null;
    clock.advance(5_000);
    expect(await takeMany(10)).toBe(10);
  });
});

describe('rejections of a new egress', () => {
  it('lower the ceiling of the next day', async () => {
    await takeMany(101);
    clock.advance(DAY_MS);
    await takeMany(200);
    for (let n = 0; n < 21; n += 1) await warmup.record({ ...google, kind: 'rejection' });
    clock.advance(DAY_MS);
    expect(await takeMany(300)).toBe(100);
  });

  it('that cannot be counted do not fail the verification', async () => {
    await warmup.record({ ...google, kind: 'probe' });
    store.fault = new Error('no database');
    await warmup.record({ ...google, kind: 'rejection' });
    expect(faults).toEqual([store.fault]);
  });
});
