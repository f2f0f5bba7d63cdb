import { beforeEach, describe, expect, it } from '@jest/globals';
import assert from 'node:assert/strict';
import { FakeClock } from '../../test/support/time/fake-clock.js';
import { CatchAllCache } from './catch-all.js';
import { SharedState, type SharedEntry } from './limits/shared-state.js';
import { DAY_MS } from '../kernel/durations.js';

const hosts = (...names: string[]) => names.map((host) => ({ host, preference: 10 }));
const MX = hosts('mx1.example.test', 'mx2.example.test');

/** Records what is published. */
class Published extends SharedState {
  readonly entries: SharedEntry[] = [];

  publish(entry: SharedEntry): void {
    this.entries.push(entry);
  }

  subscribe(): void {}
}

let clock: FakeClock;
let published: Published;
let cache: CatchAllCache;
beforeEach(() => {
  clock = new FakeClock();
  published = new Published();
  cache = new CatchAllCache(clock, published);
});

describe('whether a domain is catch-all', () => {
  it('is known for its servers in any order, and not for others', () => {
    cache.set('corp.test', MX, 'no');
    expect(cache.get('corp.test', MX.toReversed())).toBe('no');
    expect(cache.get('corp.test', hosts('mx1.example.test'))).toBeNull();
  });

  it('is known for each set of servers, as processes in other regions may see them', () => {
    const other = hosts('mx1.example.test');
    cache.set('corp.test', MX, 'no');
    cache.set('corp.test', other, 'yes');
    expect([cache.get('corp.test', MX), cache.get('corp.test', other)]).toEqual(['no', 'yes']);
  });

  it('is known with the provider of the servers, also of many with long names', () => {
    const many = Array.from({ length: 20 }, (_, n) => `${'long'.repeat(10)}${n}.mail.protection.outlook.com`);
    cache.set('corp.test', hosts(...many), 'no');
    expect(cache.providerOf('corp.test')).toBe('microsoft');
    expect(cache.providerOf('other.test')).toBeNull();
  });

  it.each([
    ['yes', DAY_MS],
    ['no', DAY_MS],
    ['unknown', 600_000],
  ] as const)('is known for a limited time: %s', async (catchAll, ttlMs) => {
    cache.set('corp.test', MX, catchAll);
    await clock.advance(ttlMs - 1);
    expect(cache.get('corp.test', MX)).toBe(catchAll);
    await clock.advance(1);
    expect(cache.get('corp.test', MX)).toBeNull();
  });

  it('is published once, with a short key for many servers', () => {
    const many = hosts(...Array.from({ length: 20 }, (_, n) => `${'long'.repeat(15)}-${n}.example.test`));
    for (let n = 0; n < 2; n++) cache.set('corp.test', many, 'yes');
    expect(cache.get('corp.test', many)).toBe('yes');
    expect(published.entries).toHaveLength(1);
    expect(published.entries[0]?.key.length).toBeLessThan(60);
  });

  it('is known for 50,000 domains at most, and for those that were used last', () => {
    for (let n = 0; n < 50_000; n++) cache.set(`d${n}.test`, MX, 'no');
    assert.equal(cache.get('d0.test', MX), 'no');
    cache.set('d50000.test', MX, 'no');
    assert.equal(cache.get('d0.test', MX), 'no');
    assert.equal(cache.get('d1.test', MX), null);
    assert.equal(cache.get('d50000.test', MX), 'no');
  });
});
