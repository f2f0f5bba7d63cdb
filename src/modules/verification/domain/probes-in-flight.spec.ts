import { describe, expect, it } from '@jest/globals';
import { mostProbes, ProbesInFlight } from './probes-in-flight.js';

describe('probes in flight', () => {
  it('are as many as a team may have, and one more when one ends', () => {
    const probes = new ProbesInFlight();
    const leave = [probes.enter('team_a', 2), probes.enter('team_a', 2)];
    expect(leave).not.toContain(null);
    expect(probes.enter('team_a', 2)).toBeNull();
    leave[0]?.();
    expect(probes.enter('team_a', 2)).not.toBeNull();
    expect(probes.enter('team_a', 2)).toBeNull();
  });

  it('of one team are no other team’s', () => {
    const probes = new ProbesInFlight();
    probes.enter('team_a', 1);
    expect(probes.enter('team_a', 1)).toBeNull();
    expect(probes.enter('team_b', 1)).not.toBeNull();
  });

  it('end once, however often that is said', () => {
    const probes = new ProbesInFlight();
    const leave = probes.enter('team_a', 2);
    probes.enter('team_a', 2);
    leave?.();
    leave?.();
    expect(probes.enter('team_a', 2)).not.toBeNull();
    expect(probes.enter('team_a', 2)).toBeNull();
  });

  it('that have ended make room for as many again', () => {
    const probes = new ProbesInFlight();
    for (let round = 0; round < 3; round++) {
      const leave = Array.from({ length: 10 }, () => probes.enter('team_a', 10));
      expect(leave).not.toContain(null);
      for (const each of leave) each?.();
    }
  });

  it('may be fewer than run already, after the tier has changed', () => {
    const probes = new ProbesInFlight();
    const leave = Array.from({ length: 5 }, () => probes.enter('team_a', 5));
    leave.pop()?.();
    expect(probes.enter('team_a', 2)).toBeNull();
  });
});

it.each([
  [{ perSecond: 1 }, 10],
  [{ perSecond: 5 }, 10],
  [{ perSecond: 5.7 }, 11],
  [{ perSecond: 100 }, 200],
  [{ perSecond: 400 }, 800],
  [null, 200],
])('a rate of %j has %d of them', (rate, most) => {
  expect(mostProbes(rate)).toBe(most);
});
