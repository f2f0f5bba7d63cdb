import { describe, expect, it } from '@jest/globals';
import { REASONS, STATUS_OF, type Checks, type Reason } from '../kernel/verdict.js';
import { score } from './score.js';

const CHECKS: Checks = {
  disposable: false,
  privacyRelay: false,
  role: false,
  free: false,
  subaddress: false,
  noReply: false,
  catchAll: false,
  mailboxFull: null,
  disabled: null,
  smtputf8: null,
};
const of = (reason: Reason, checks: Partial<Checks> = {}) => score(reason, { ...CHECKS, ...checks });

describe('score', () => {
  it.each<[Reason, number]>([
    ['accepted_email', 95],
    ['role', 95],
    ['inconclusive_provider', 60],
    ['catch_all', 50],
    ['catch_all_unknown', 50],
    ['mailbox_full', 40],
    ['disposable', 20],
    ['blocked_domain', 20],
  ])('%s is worth %i', (reason, worth) => {
    expect(of(reason)).toBe(worth);
  });

  it('is 30 for every unknown and 0 for every undeliverable', () => {
    const worth = { unknown: 30, undeliverable: 0 } as const;
    for (const reason of REASONS) {
      const status = STATUS_OF[reason];
      if (status in worth)
        expect([reason, of(reason)]).toEqual([reason, worth[status as keyof typeof worth]]);
    }
  });

  it('is 80 for an accepted address at a domain with unknown catch-all property', () => {
    expect(of('accepted_email', { catchAll: null })).toBe(80);
    expect(of('accepted_email', { catchAll: false })).toBe(95);
    expect(of('mailbox_full', { catchAll: null })).toBe(40);
  });

  it('is 10 lower for a role, 5 lower for no-reply, 15 lower for both', () => {
    expect(of('accepted_email', { role: true })).toBe(85);
    expect(of('role', { role: true })).toBe(85);
    expect(of('accepted_email', { noReply: true })).toBe(90);
    expect(of('catch_all', { role: true, noReply: true })).toBe(35);
  });

  it('is never below 0, and not changed by other checks', () => {
    expect(of('mailbox_not_found', { role: true, noReply: true })).toBe(0);
    const others = { disposable: true, privacyRelay: true, free: true, subaddress: true, smtputf8: false };
    expect(of('accepted_email', others)).toBe(95);
  });
});
