import { beforeEach, describe, expect, it } from '@jest/globals';
import { EgressOutage } from './egress-outage.js';

const SECOND = 1_000;
let outage: EgressOutage;
beforeEach(() => {
  outage = new EgressOutage();
});
const failAt = (nowMs: number, ...servers: string[]) =>
  servers.forEach((server) => outage.failed(server, nowMs));

describe('an egress', () => {
  it('rests when it reaches none of three servers, for 15 s', () => {
    failAt(0, 'a', 'b', 'c');
    expect([outage.isResting(15 * SECOND - 1), outage.isResting(15 * SECOND)]).toEqual([true, false]);
  });

  it('does not rest for one server that the proxy cannot reach, however often', () => {
    failAt(0, 'a', 'a', 'a', 'a', 'b');
    expect([outage.isResting(0), outage.isBroken]).toEqual([false, false]);
  });

  it('does not rest when another server was reached in between', () => {
    failAt(0, 'a', 'b');
    outage.succeeded();
    failAt(0, 'c');
    expect(outage.isResting(0)).toBe(false);
  });

  it('rests twice as long after each failed trial, up to five minutes, and failures in flight do not count', () => {
    failAt(0, 'a', 'b', 'c', 'd', 'e');
    let nowMs = 0;
    for (const seconds of [15, 30, 60, 120, 240, 300, 300]) {
      expect([outage.isResting(nowMs + seconds * SECOND - 1), seconds]).toEqual([true, seconds]);
      nowMs += seconds * SECOND;
      expect([outage.isResting(nowMs), outage.isBroken]).toEqual([false, true]);
      failAt(nowMs, 'a');
    }
  });

  it('is used again at once when it has reached a server', () => {
    failAt(0, 'a', 'b', 'c');
    outage.succeeded();
    expect([outage.isResting(1), outage.isBroken]).toEqual([false, false]);
  });
});
