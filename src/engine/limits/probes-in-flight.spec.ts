import { describe, expect, it } from '@jest/globals';
import { maxProbes, ProbesInFlight, ProbesOfCall } from './probes-in-flight.js';

describe('probes in flight', () => {
  it('are limited per team, and one more starts when one ends', () => {
    const probes = new ProbesInFlight();
    const leave = [probes.acquire('team_a', 2), probes.acquire('team_a', 2)];
    expect(leave).not.toContain(null);
    expect(probes.acquire('team_a', 2)).toBeNull();
    leave[0]?.();
    expect(probes.acquire('team_a', 2)).not.toBeNull();
    expect(probes.acquire('team_a', 2)).toBeNull();
  });

  it('are counted per team', () => {
    const probes = new ProbesInFlight();
    probes.acquire('team_a', 1);
    expect(probes.acquire('team_a', 1)).toBeNull();
    expect(probes.acquire('team_b', 1)).not.toBeNull();
  });

  it('are released once, when the release is called repeatedly', () => {
    const probes = new ProbesInFlight();
    const leave = probes.acquire('team_a', 2);
    probes.acquire('team_a', 2);
    leave?.();
    leave?.();
    expect(probes.acquire('team_a', 2)).not.toBeNull();
    expect(probes.acquire('team_a', 2)).toBeNull();
  });

  it('make room when they end', () => {
    const probes = new ProbesInFlight();
    for (let round = 0; round < 3; round++) {
      const leave = Array.from({ length: 10 }, () => probes.acquire('team_a', 10));
      expect(leave).not.toContain(null);
      for (const end of leave) end?.();
    }
  });

  it('may exceed a limit that was lowered', () => {
    const probes = new ProbesInFlight();
    const leave = Array.from({ length: 5 }, () => probes.acquire('team_a', 5));
    leave.pop()?.();
    expect(probes.acquire('team_a', 2)).toBeNull();
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

  it('are refused when other calls use all probes', async () => {
    const all = new ProbesInFlight();
    const leave = all.acquire('team_a', 1);
    expect(await new ProbesOfCall(all, 'team_a', 1).acquire()).toBeNull();
    leave?.();
    expect(await new ProbesOfCall(all, 'team_a', 1).acquire()).not.toBeNull();
  });
});
