import { describe, expect, it } from '@jest/globals';
import { AdjustableClock } from '../../../test/support/time/adjustable-clock.js';
import { NetworkLimiter, type NetworkLimits } from './network-limiter.js';
import { HOUR_MS } from '../../kernel/durations.js';

function stopped(limits: Omit<NetworkLimits, 'windowMs'>, windowMs = HOUR_MS) {
  const clock = new AdjustableClock();
  clock.stop();
  return { clock, limiter: new NetworkLimiter(clock, { ...limits, windowMs }) };
}
const accepted = (limiter: NetworkLimiter, addresses: readonly string[]) =>
  addresses.filter((address) => limiter.consume(address) === 0).length;
const addresses = (count: number, of: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => of(n));

describe('the limit of a network', () => {
  it('accepts so many attempts of each network in a window', () => {
    const { limiter, clock } = stopped({ ofNetwork: 2 }, 1_000);
    expect([1, 2, 3].map(() => limiter.consume('192.0.2.1'))).toEqual([0, 0, 1_000]);
    expect(limiter.consume('192.0.2.2')).toBe(0);
    clock.advance(1_000);
    expect(limiter.consume('192.0.2.1')).toBe(0);
  });

  it('does not count refused attempts: an accepted one expires after the window', () => {
    const { limiter, clock } = stopped({ ofNetwork: 2 });
    limiter.consume('192.0.2.1');
    clock.advance(HOUR_MS / 2);
    limiter.consume('192.0.2.1');
    for (let n = 0; n < 10; n++) expect(Math.round(limiter.consume('192.0.2.1'))).toBe(HOUR_MS / 2);
    clock.advance(HOUR_MS / 2);
    expect(limiter.consume('192.0.2.1')).toBe(0);
    expect(Math.round(limiter.consume('192.0.2.1'))).toBe(HOUR_MS / 2);
  });

  it('does not count an attempt that was given back', () => {
    const { limiter } = stopped({ ofNetwork: 2, together: 2 });
    limiter.consume('192.0.2.1');
    limiter.giveBack('192.0.2.1');
    expect(accepted(limiter, Array(3).fill('192.0.2.1'))).toBe(2);
    limiter.giveBack('198.51.100.1');
    expect(limiter.consume('198.51.100.1')).toBe(0);
  });

  it('is a multiple for wider networks: a customer with many /64 has one share of a /56, and of a /48', () => {
    const { limiter } = stopped({ ofNetwork: 10 });
    const of56 = addresses(256, (n) => `2001:db8:1:${n.toString(16)}::1`);
    expect(accepted(limiter, of56)).toBe(20);
    const of48 = addresses(1_000, (n) => `2001:db8:2:${(n * 64).toString(16)}::1`);
    expect(accepted(limiter, of48)).toBe(40);
    expect(
      accepted(
        limiter,
        addresses(256, (n) => `192.0.2.${n}`),
      ),
    ).toBe(160);
    expect(limiter.consume('2001:db8:3::1')).toBe(0);
  });

  it('is counted for each subject on its own', () => {
    const { limiter } = stopped({ ofNetwork: 1 });
    const waits = ['a', 'b', 'a'].map((subject) => Math.round(limiter.consume('192.0.2.1', subject)));
    expect(waits).toEqual([0, 0, HOUR_MS]);
  });

  it('holds also while others use more networks than are stored', () => {
    const { limiter } = stopped({ ofNetwork: 1 });
    limiter.consume('2001:db8:ffff::1');
    for (let n = 0; n < 9_000; n++) {
      limiter.consume(`2001:db8:${n.toString(16)}::1`);
      if (n % 100 === 0) expect(limiter.consume('2001:db8:ffff::1')).toBeGreaterThan(0);
    }
  });
});

describe('the limit of all networks together', () => {
  it('is not used up by a few networks: others get their share', () => {
    const { limiter } = stopped({ ofNetwork: 20, together: 500 });
    for (let n = 0; n < 25; n++) accepted(limiter, Array(20).fill(`198.51.${n}.1`));
    expect(accepted(limiter, Array(30).fill('203.0.113.1'))).toBe(19);
    expect(limiter.consume('198.51.0.2')).toBeGreaterThan(0);
  });

  it('accepts an attempt of a network that had none, however many others there are', () => {
    const { limiter } = stopped({ ofNetwork: 20, together: 100 });
    for (let n = 0; n < 5_000; n++) expect(limiter.consume(`2001:db8:${n.toString(16)}::1`)).toBe(0);
    expect(limiter.consume('2001:db8:0::1')).toBeGreaterThan(0);
  });

  it('counts what it refuses for nobody', () => {
    const { limiter, clock } = stopped({ ofNetwork: 3, together: 2 }, 1_000);
    expect(accepted(limiter, Array(3).fill('192.0.2.1'))).toBe(2);
    clock.advance(1_000);
    expect(accepted(limiter, Array(3).fill('192.0.2.1'))).toBe(2);
  });
});
