import { describe, expect, it } from '@jest/globals';
import { FailedLogins } from './egress-bounds.js';

describe('FailedLogins', () => {
  it('makes a network wait for a minute after five failures', () => {
    const logins = new FailedLogins();
    for (let n = 0; n < 4; n += 1) logins.failed('192.0.2.1', n);
    expect(logins.isWaiting('192.0.2.1', 5)).toBe(false);
    logins.failed('192.0.2.1', 5);
    expect(logins.isWaiting('192.0.2.1', 60_004)).toBe(true);
    expect(logins.isWaiting('192.0.2.2', 5)).toBe(false);
    expect(logins.isWaiting('192.0.2.1', 60_005)).toBe(false);
  });

  it('forgets failures after a login', () => {
    const logins = new FailedLogins();
    for (let n = 0; n < 4; n += 1) logins.failed('192.0.2.1', n);
    logins.succeeded('192.0.2.1');
    logins.failed('192.0.2.1', 5);
    expect(logins.isWaiting('192.0.2.1', 6)).toBe(false);
  });
});
