import { beforeEach, describe, expect, it } from '@jest/globals';
import { BreakerStore } from './breaker-store.js';
import type { ScopeName } from './breaker-scope.js';

const NOW = 1_000_000;
const host = (n: number): ScopeName => ({ egress: 'direct', kind: 'host', name: `mx${n}.test` });

let store: BreakerStore;
beforeEach(() => {
  store = new BreakerStore();
});

const reject = (team: string, n: number) =>
  store.getOrCreate(host(n), team, NOW).rejected(team, 'a@b.test', true, NOW);
const knows = (team: string, n: number) => store.find(host(n))?.breakerOf(team) !== undefined;

describe('the store of breakers', () => {
  it('is limited to 1,000 scopes per team and 10,000 in total', () => {
    for (let n = 0; n < 1_500; n += 1) reject('a', n);
    expect([store.size, store.sizeOf('a')]).toEqual([1_000, 1_000]);
    for (let team = 0; team < 30; team += 1) for (let n = 0; n < 500; n += 1) reject(`t${team}`, n);
    expect(store.size).toBe(10_000);
    const scopes = Array.from({ length: 1_500 }, (_, n) => store.find(host(n))?.teams ?? 0);
    expect(scopes.reduce((sum, teams) => sum + teams)).toBe(10_000);
  });

  it('does not evict scopes of a team for teams with more', () => {
    for (let n = 0; n < 50; n += 1) reject('quiet', n);
    for (let team = 0; team < 20; team += 1) for (let n = 0; n < 2_000; n += 1) reject(`t${team}`, n);
    expect(store.sizeOf('quiet')).toBe(50);
  });

  it('evicts the least recently used ones of a team, those without rejections first', () => {
    reject('a', 0);
    store.getOrCreate(host(1), 'a', NOW).succeeded('a', NOW);
    for (let n = 2; n <= 1_000; n += 1) reject('a', n);
    expect([knows('a', 0), knows('a', 1)]).toEqual([true, false]);
    reject('a', 0);
    reject('a', 1_001);
    expect([knows('a', 0), knows('a', 2)]).toEqual([true, false]);
  });

  it('does not count evicted scopes as open', () => {
    for (let n = 0; n < 3; n += 1) {
      const scope = store.getOrCreate(host(0), 'a', NOW);
      scope.rejected('a', `${n}@b.test`, true, NOW);
    }
    expect([...store.open(NOW)]).toHaveLength(1);
    for (let n = 1; n <= 1_000; n += 1) reject('a', n);
    expect([...store.open(NOW)]).toEqual([]);
  });
});
