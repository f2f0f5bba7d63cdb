import { describe, expect, it } from '@jest/globals';
import { HandshakePace, Logins } from './egress-bounds.js';

describe('Logins', () => {
  it('makes a network wait for a minute after five failures', () => {
    const logins = new Logins();
    for (let n = 0; n < 4; n += 1) logins.failed('192.0.2.1', n);
    expect(logins.isWaiting('192.0.2.1', 5)).toBe(false);
    logins.failed('192.0.2.1', 5);
    expect(logins.isWaiting('192.0.2.1', 60_004)).toBe(true);
    expect(logins.isWaiting('192.0.2.2', 5)).toBe(false);
    expect(logins.isWaiting('192.0.2.1', 60_005)).toBe(false);
  });

  it('forgets failures after a login', () => {
    const logins = new Logins();
    for (let n = 0; n < 4; n += 1) logins.failed('192.0.2.1', n);
    logins.succeeded('192.0.2.1', 4);
    logins.failed('192.0.2.1', 5);
    expect(logins.isWaiting('192.0.2.1', 6)).toBe(false);
  });

  it('knows a network for ten minutes after a login, unless it fails to log in', () => {
    const logins = new Logins();
    expect(logins.isKnown('192.0.2.1', 0)).toBe(false);
    logins.succeeded('192.0.2.1', 0);
    expect(logins.isKnown('192.0.2.1', 599_999)).toBe(true);
    expect(logins.isKnown('192.0.2.1', 600_000)).toBe(false);
    logins.failed('192.0.2.1', 1);
    expect(logins.isKnown('192.0.2.1', 2)).toBe(false);
  });
});

describe('HandshakePace', () => {
  it('lets 20 handshakes begin at once, and 20 a second from then on', () => {
    const pace = new HandshakePace();
    const waits = Array.from({ length: 21 }, () => pace.tryConsume(5_000));
    expect(waits).toEqual([...Array<number>(20).fill(0), 50]);
    // One that waits has used nothing.
    expect([pace.tryConsume(5_049), pace.tryConsume(5_050), pace.tryConsume(5_050)]).toEqual([1, 0, 50]);
    expect(pace.tryConsume(8_000)).toBe(0);
  });
});
