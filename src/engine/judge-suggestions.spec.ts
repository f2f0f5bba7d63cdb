import { describe, expect, it } from '@jest/globals';
import {
  anAddress,
  aReply,
  aRoute,
  asked,
  aSilence,
  listingOf,
} from '../../test/support/verification/evidence.js';
import { SMTP_CATEGORIES, STATUS_OF } from '../kernel/verdict.js';
import { evidenceFromFacts, factsOfDns, type AddressFacts, type Evidence } from './evidence.js';
import { judge } from './judge.js';
import { classify } from './lists/address-lists.js';

const accepted = aReply('accepted');
const judged = (evidence: Evidence) => judge(evidence, { roleIsRisky: false });

describe('did_you_mean', () => {
  const meant = (email: string, facts: Partial<AddressFacts>) => judged(asked(email, facts)).didYouMean;

  it('is offered for a misspelled domain without mail servers', () => {
    for (const kind of ['no_domain', 'no_mail_server', 'null_mx'] as const) {
      expect(meant('Jane.Doe+news@gmial.com', { route: { kind } })).toBe('Jane.Doe+news@gmail.com');
    }
  });

  it('is offered if no server has replied about the address', () => {
    const hosts = [{ host: 'mx.gmial.com', preference: 0 }];
    for (const implicit of [true, false])
      for (const probe of [aSilence('no_connect', 'connect'), aSilence('timeout', 'connect')])
        expect(meant('jane@gmial.com', { route: { kind: 'hosts', implicit, hosts }, probe })).toBe(
          'jane@gmail.com',
        );
    expect(meant('jane@gmial.com', { probe: null })).toBe('jane@gmail.com');
    expect(meant('jane@gmial.com', { route: { kind: 'dns_error' } })).toBe('jane@gmail.com');
    const address = anAddress('jane@gmial.com');
    const unanswered = { kind: 'timed_out', address, listing: listingOf(address) } as const;
    expect(judged(unanswered).didYouMean).toBe('jane@gmail.com');
  });

  it('is offered if the server of a misspelled domain knows no such mailbox, or accepts every address', () => {
    for (const category of ['mailbox_not_found', 'mailbox_disabled'] as const)
      expect(meant('jane@gmial.com', { probe: aReply(category) })).toBe('jane@gmail.com');
    const squatted = judged(asked('jane@gmial.com', { probe: accepted, catchAll: 'yes' }));
    expect(squatted).toMatchObject({ status: 'risky', reason: 'catch_all', didYouMean: 'jane@gmail.com' });
  });

  it('is offered for a misspelled domain that somebody calls disposable', () => {
    const address = anAddress('jane@gmial.com');
    const override = { verdict: 'disposable', pattern: 'gmial.com', source: 'team' } as const;
    const listing = classify(address, { disposable: () => null }, override);
    const evidence = evidenceFromFacts(address, listing, factsOfDns(aRoute('mx.gmial.com')));
    expect(judged(evidence)).toMatchObject({ reason: 'disposable', didYouMean: 'jane@gmail.com' });
  });

  it('is not offered if a server has replied something else about the address', () => {
    const replies = SMTP_CATEGORIES.map((category) => aReply(category)).filter(
      (probe) => STATUS_OF[judged(asked('jane@gmial.com', { probe })).reason] !== 'undeliverable',
    );
    for (const probe of replies) expect(meant('jane@gmial.com', { probe, catchAll: 'no' })).toBeNull();
    expect(meant('jane@gmial.com', { probe: accepted })).toBeNull();
  });

  it('is offered for a name without its top-level domain', () => {
    const address = anAddress('jane@gmail');
    const listing = listingOf(address);
    const judgement = judged({ kind: 'invalid_domain', address, listing, rule: 'no_dot' });
    expect(judgement).toMatchObject({ reason: 'invalid_domain', didYouMean: 'jane@gmail.com' });
  });

  it('is null for a domain that is similar to no known one', () => {
    expect(meant('jane@corp.test', { route: { kind: 'no_domain' } })).toBeNull();
  });
});
