import { beforeEach, describe, expect, it } from '@jest/globals';
import { EgressOutage } from './egress-outage.js';
import { SECOND_MS } from '../../kernel/durations.js';

let outage: EgressOutage;
beforeEach(() => {
  outage = new EgressOutage();
});
const failAt = (nowMs: number, ...servers: string[]) =>
  servers.forEach((server) => outage.failed(server, nowMs));

describe('an egress', () => {
  it('is paused for 15 s when it reaches none of three servers', () => {
    failAt(0, 'a', 'b', 'c');
    expect([outage.isPaused(15 * SECOND_MS - 1), outage.isPaused(15 * SECOND_MS)]).toEqual([true, false]);
  });

  it('is not paused for one server that the proxy cannot reach, however often', () => {
    failAt(0, 'a', 'a', 'a', 'a', 'b');
    expect([outage.isPaused(0), outage.isBroken]).toEqual([false, false]);
  });

  it('is not paused when another server was reached in between', () => {
    failAt(0, 'a', 'b');
    outage.succeeded();
    failAt(0, 'c');
    expect(outage.isPaused(0)).toBe(false);
  });

  it('is paused twice as long when it fails after a pause, up to five minutes, and failures in flight do not count', () => {
    failAt(0, 'a', 'b', 'c', 'd', 'e');
    let nowMs = 0;
    for (const seconds of [15, 30, 60, 120, 240, 300, 300]) {
      expect([outage.isPaused(nowMs + seconds * SECOND_MS - 1), seconds]).toEqual([true, seconds]);
      nowMs += seconds * SECOND_MS;
      expect([outage.isPaused(nowMs), outage.isBroken]).toEqual([false, true]);
      failAt(nowMs, 'a');
    }
  });

  it('is used again at once when it has reached a server', () => {
    failAt(0, 'a', 'b', 'c');
    outage.succeeded();
    expect([outage.isPaused(1), outage.isBroken]).toEqual([false, false]);
  });
});
