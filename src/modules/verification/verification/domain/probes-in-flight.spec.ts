import { describe, expect, it } from '@jest/globals';
import { maxProbes, ProbesInFlight, ProbesOfCall } from './probes-in-flight.js';

describe('probes in flight', () => {
  it('are limited per team, and one more starts when one ends', () => {
    const probes = new ProbesInFlight();
    expect([1, 2, 3].map(() => probes.acquire('team_a', 2))).toEqual([true, true, false]);
    probes.release('team_a');
    expect([1, 2].map(() => probes.acquire('team_a', 2))).toEqual([true, false]);
  });

  it('are counted per team', () => {
    const probes = new ProbesInFlight();
    probes.acquire('team_a', 1);
    expect(probes.acquire('team_a', 1)).toBe(false);
    expect(probes.acquire('team_b', 1)).toBe(true);
  });

  it('make room when they end', () => {
    const probes = new ProbesInFlight();
    for (let round = 0; round < 3; round++) {
      for (let n = 0; n < 10; n++) expect(probes.acquire('team_a', 10)).toBe(true);
      for (let n = 0; n < 10; n++) probes.release('team_a');
    }
  });

  it('may exceed a limit that was lowered', () => {
    const probes = new ProbesInFlight();
    for (let n = 0; n < 5; n++) probes.acquire('team_a', 5);
    probes.release('team_a');
    expect(probes.acquire('team_a', 2)).toBe(false);
  });
});

it.each([
  [{ perSecond: 1 }, 10],
  [{ perSecond: 5 }, 10],
  [{ perSecond: 5.7 }, 11],
  [{ perSecond: 100 }, 200],
  [{ perSecond: 400 }, 800],
  [null, 200],
])('a rate of %j allows %d of them', (rate, most) => {
  expect(maxProbes(rate)).toBe(most);
});

describe('the probes of one call', () => {
  it('wait for each other at the limit of the team, and are not refused', async () => {
    const probes = new ProbesOfCall(new ProbesInFlight(), 'team_a', 2);
    let most = 0;
    let running = 0;
    const one = async () => {
      const leave = await probes.acquire();
      expect(leave).not.toBeNull();
      most = Math.max(most, ++running);
      await Promise.resolve();
      running--;
      leave?.();
    };
    await Promise.all(Array.from({ length: 25 }, one));
    expect([most, running]).toEqual([2, 0]);
  });

  it('stay with the call until its last address: another call that takes each free probe does not end it', async () => {
    const all = new ProbesInFlight();
    const probes = new ProbesOfCall(all, 'team_a', 1);
    const results = Array.from({ length: 3 }, () => probes.acquire());
    for (const result of results) {
      const leave = await result;
      expect(leave).not.toBeNull();
      leave?.();
      all.acquire('team_a', 1);
    }
    await Promise.all(results);
  });

  it('are refused when other calls use all probes', async () => {
    const all = new ProbesInFlight();
    all.acquire('team_a', 1);
    expect(await new ProbesOfCall(all, 'team_a', 1).acquire()).toBeNull();
    all.release('team_a');
    expect(await new ProbesOfCall(all, 'team_a', 1).acquire()).not.toBeNull();
  });

  it('end once, however often they are released', async () => {
    const all = new ProbesInFlight();
    const one = await new ProbesOfCall(all, 'team_a', 2).acquire();
    all.acquire('team_a', 2);
    for (let n = 0; n < 2; n++) one?.();
    expect([all.acquire('team_a', 2), all.acquire('team_a', 2)]).toEqual([true, false]);
  });
});
