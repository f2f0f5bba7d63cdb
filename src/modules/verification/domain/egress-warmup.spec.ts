import { beforeEach, describe, expect, it } from '@jest/globals';
import { aPlan } from '../../../../test/support/verification/warmup.js';
import { EgressWarmup } from './egress-warmup.js';
import { takeBlock, type BlockRequest, type WarmupDay } from './warmup.js';
import { WarmupStore, type WarmupBlock, type WarmupKey } from './warmup-store.js';

const HOUR = 3_600_000;
const plan = aPlan({ google: 100, yahoo: 40 });

/** A store that is shared by several processes, and can fail. */
class SharedStore extends WarmupStore {
  today = '2026-11-22';
  stored: WarmupDay | null = null;
  mine = new Map<string, number>();
  dayLeft = 0;
  requests: BlockRequest[] = [];
  fault: Error | null = null;

  override async exchange({ team }: WarmupKey, request: BlockRequest): Promise<WarmupBlock> {
    this.requests.push(request);
    if (this.fault !== null) throw this.fault;
    const others = [...this.mine].filter(([other]) => other !== team).map(([, used]) => used);
    const division = { mine: this.mine.get(team) ?? 0, others, dayLeft: this.dayLeft };
    const taken = takeBlock(this.stored, request, { today: this.today, start: 100, plan, division });
    this.stored = taken.day;
    this.mine.set(team, taken.mine);
    return { ...taken, dayEndsInMs: HOUR };
  }

  override async deleteUnused(): Promise<number> {
    return 0;
  }
}

let store: SharedStore;
let nowMs: number;
let faults: unknown[];
const aProcess = () =>
  new EgressWarmup({
    plan,
    store,
    isWarm: (egress) => egress === 'warm',
    nowMs: () => nowMs,
    onFault: (error) => faults.push(error),
  });
let warmup: EgressWarmup;
beforeEach(() => {
  store = new SharedStore();
  nowMs = 0;
  faults = [];
  warmup = aProcess();
});

const google = { egress: 'a', provider: 'google', team: 'team_1' };
const takeMany = async (count: number, from = warmup, team = 'team_1') =>
  (await Promise.all(Array.from({ length: count }, () => from.take({ ...google, team })))).filter(Boolean)
    .length;

describe('the probes of a new egress', () => {
  it('are granted up to the ceiling, in blocks with one request to the store each', async () => {
    expect(await takeMany(150)).toBe(100);
    expect(store.requests).toHaveLength(21);
  });

  it('are granted up to the ceiling for all processes together', async () => {
    const others = [aProcess(), aProcess()];
    const granted = await Promise.all([warmup, ...others].map((each) => takeMany(60, each)));
    expect(granted.reduce((sum, each) => sum + each, 0)).toBe(100);
  });

  it('above the ceiling are requested from the store once a minute only', async () => {
    await takeMany(101);
    const { length } = store.requests;
    await takeMany(50);
    expect(store.requests).toHaveLength(length);
    nowMs += 60_000;
    await takeMany(50);
    expect(store.requests).toHaveLength(length + 1);
  });

  it('are granted again on the next day, as many as the day before allows', async () => {
    await takeMany(101);
    nowMs += HOUR;
    store.today = '2026-11-23';
    expect(await takeMany(300)).toBe(200);
  });

  it('that were not sent are returned, in this process and at its end to the others', async () => {
    for (let n = 0; n < 3; n += 1) await warmup.take(google);
    warmup.returnProbe(google);
    await warmup.close();
    expect(store.stored).toMatchObject({ used: 2 });
  });

  it('are not limited at other providers, without a provider, or for an egress that is warm', async () => {
    expect(await warmup.take({ ...google, provider: null })).toBe(true);
    expect(await warmup.take({ ...google, provider: 'apple' })).toBe(true);
    expect(await warmup.take({ ...google, egress: 'warm' })).toBe(true);
    expect(store.requests).toEqual([]);
  });

  it('are not sent while the store is not available, with a retry every five seconds', async () => {
    store.fault = new Error('no database');
    expect(await takeMany(10)).toBe(0);
    expect([store.requests.length, faults.length]).toEqual([1, 1]);
    store.fault = null;
    nowMs += 5_000;
    expect(await takeMany(10)).toBe(10);
  });
});

describe('one team of several', () => {
  it('leaves equal shares to the others and to a further team', async () => {
    store.dayLeft = 1;
    expect(await takeMany(150, warmup, 'team_1')).toBe(50);
    expect(await takeMany(150, warmup, 'team_2')).toBe(33);
    expect(await takeMany(150, warmup, 'team_3')).toBe(17);
  });

  it('can use the unused shares of the others at the end of the day', async () => {
    store.dayLeft = 1;
    await takeMany(1, warmup, 'team_2');
    expect(await takeMany(150)).toBe(33);
    store.dayLeft = 0;
    nowMs += 60_000;
    expect(await takeMany(150)).toBe(66);
  });

  it('releases the rest of its block to the others after a minute without probes', async () => {
    store.dayLeft = 1;
    await takeMany(1, warmup, 'team_2');
    expect(store.mine.get('team_2')).toBe(5);
    nowMs += 60_000;
    await takeMany(1);
    expect(store.mine.get('team_2')).toBe(1);
  });
});

describe('refusals of a new egress', () => {
  it('are reported within a minute, and before the ceiling of the next day is decided', async () => {
    await takeMany(50);
    for (let n = 0; n < 10; n += 1) warmup.refused(google);
    expect(store.stored).toMatchObject({ refused: 0 });
    nowMs += 60_000;
    warmup.refused(google);
    await warmup.close();
    expect(store.stored).toMatchObject({ refused: 11, used: 50 });
  });

  it('are not lost while the store is not available', async () => {
    await warmup.take(google);
    store.fault = new Error('no database');
    nowMs += 60_000;
    warmup.refused(google);
    await warmup.close();
    store.fault = null;
    await warmup.close();
    expect(store.stored).toMatchObject({ refused: 1 });
  });
});
