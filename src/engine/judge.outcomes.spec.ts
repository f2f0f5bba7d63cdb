import { describe, expect, it } from '@jest/globals';
import { aReply, asked } from '../../test/support/verification/evidence.js';
import type { Reason } from '../kernel/verdict.js';
import type { AddressFacts, Evidence } from './evidence.js';
import { judge } from './judge.js';

const JANE = 'jane@corp.test';
const accepted = aReply('accepted');

describe('the reason of the facts', () => {
  const statistics = (returns: boolean) => ({
    returnsAccepted: (_: unknown, domain: string) => returns && domain === 'corp.test',
    estimate: (reason: Reason) => ({
      deliverable: 0.5,
      low: 0,
      high: 1,
      basis: 'reason',
      outcomes: 1,
      reason,
    }),
  });
  const reasonsFor = (facts: Partial<AddressFacts>, more: Partial<Evidence>) => {
    const { reason, reasonOfFacts, estimate } = judge({ ...asked(JANE, facts), ...more } as Evidence, {
      roleIsRisky: false,
    });
    return [reason, reasonOfFacts, (estimate as { reason?: Reason } | null)?.reason];
  };
  const history = { isDelivered: true, isReceiving: true } as Evidence['history'];

  it('stays when outcomes change the reason, and is that of the estimate', () => {
    const refuted = { statistics: statistics(true) } as Partial<Evidence>;
    const kept = { statistics: statistics(false) } as Partial<Evidence>;
    const unproven = ['inconclusive_provider', 'accepted_email', 'accepted_email'];
    expect(reasonsFor({ probe: accepted, catchAll: 'no' }, refuted)).toEqual(unproven);
    expect(reasonsFor({ probe: accepted, catchAll: 'no' }, kept)).toEqual(Array(3).fill('accepted_email'));
    expect(reasonsFor({ probe: accepted, catchAll: 'yes' }, refuted)).toEqual(Array(3).fill('catch_all'));
    const full = { probe: aReply('mailbox_full') };
    expect(reasonsFor(full, refuted)).toEqual(Array(3).fill('mailbox_full'));
    const tooFast = { probe: aReply('rate_limited') };
    expect(reasonsFor(tooFast, refuted)).toEqual(Array(3).fill('accepted_email'));
    expect(reasonsFor({ probe: accepted, catchAll: 'yes' }, { ...refuted, history })).toEqual([
      'delivered',
      'catch_all',
      'catch_all',
    ]);
  });

  it('stays when the name servers failed, also where a mail was delivered', () => {
    const failed: AddressFacts['probe'] = { end: 'dns_error', evidence: null, random: null, smtputf8: null };
    const late: AddressFacts['probe'] = { ...failed, end: 'timeout' };
    expect(reasonsFor({ probe: failed }, { history })[0]).toBe('dns_error');
    expect(reasonsFor({ probe: late }, { history })[0]).toBe('delivered');
  });
});
