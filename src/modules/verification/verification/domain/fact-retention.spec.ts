import { describe, expect, it } from '@jest/globals';
import {
  anAddress,
  aReply,
  asked,
  aSilence,
  listingOf,
} from '../../../../../test/support/verification/evidence.js';
import type { Evidence } from '../../../../engine/evidence.js';
import { factsToStore } from './fact-retention.js';

const NOW = new Date('2030-05-01T12:00:00.000Z');
const JANE = 'jane@corp.test';
const accepted = aReply('accepted');

/** Days, of the facts of the address; null: not stored. */
function keptFor(evidence: Evidence, retentionDays = 30, roleIsRisky = false): number | null {
  const [kept = null] = factsToStore(evidence, NOW, retentionDays, { roleIsRisky });
  return kept && (kept.expiresAt.getTime() - NOW.getTime()) / 86_400_000;
}

describe('factsToStore', () => {
  it('stores deliverable and undeliverable facts for 7 days, risky ones for one', () => {
    expect(keptFor(asked(JANE, { probe: accepted, catchAll: 'no' }))).toBe(7);
    expect(keptFor(asked(JANE, { probe: aReply('rate_limited') }))).toBe(7);
    expect(keptFor(asked(JANE, { probe: aReply('mailbox_not_found') }))).toBe(7);
    expect(keptFor(asked(JANE, { probe: accepted, catchAll: 'yes' }))).toBe(1);
    expect(keptFor(asked(JANE, { probe: aReply('mailbox_full') }))).toBe(1);
  });

  it('stores no unknown facts', () => {
    const probes = [aReply('greylisted'), aReply('sender_blocked'), aSilence('timeout', 'rcpt')];
    for (const probe of probes) expect(keptFor(asked(JANE, { probe }))).toBeNull();
  });

  it('stores nothing longer than the team’s retention, and nothing with zero retention', () => {
    const evidence = asked(JANE, { probe: accepted, catchAll: 'no' });
    expect([30, 7, 3, 1, 0].map((days) => keptFor(evidence, days))).toEqual([7, 7, 3, 1, null]);
  });

  it('stores for a day whether the domain is catch-all, unless the table of providers says it too', () => {
    const ofDomain = (evidence: Evidence) =>
      factsToStore(evidence, NOW, 30, { roleIsRisky: false })
        .slice(1)
        .map(({ key, facts, expiresAt }) => [key, facts.catchAll, facts.probe, +expiresAt - +NOW]);
    const day = 86_400_000;
    expect(ofDomain(asked(JANE, { probe: accepted, catchAll: 'no' }))).toEqual([
      ['@corp.test', 'no', null, day],
    ]);
    expect(ofDomain(asked(JANE, { probe: accepted, catchAll: 'yes' }))).toEqual([
      ['@corp.test', 'yes', null, day],
    ]);
    expect(ofDomain(asked(JANE, { probe: accepted, catchAll: 'unknown' }))).toEqual([]);
    const hosts = [{ host: 'gmail-smtp-in.l.google.com', preference: 5 }];
    const route = { kind: 'hosts' as const, implicit: false, hosts };
    expect(ofDomain(asked('jane@gmail.com', { probe: accepted, catchAll: 'no', route }))).toEqual([]);
  });

  it('ignores the team’s rule about roles', () => {
    expect(keptFor(asked('sales@corp.test', { probe: accepted, catchAll: 'no' }), 30, true)).toBe(7);
  });

  it('stores nothing without a server reply: the DNS client has its own cache', () => {
    expect(keptFor(asked(JANE, { route: { kind: 'no_domain' } }))).toBeNull();
    expect(keptFor(asked('jane@throwaway.com'))).toBeNull();
  });

  it('stores nothing without a network result', () => {
    const address = anAddress(JANE);
    const listing = listingOf(address);
    const evidences: Evidence[] = [
      { kind: 'syntax', error: 'empty' },
      { kind: 'invalid_domain', address, listing, rule: 'special_use' },
      { kind: 'blocked', address, listing, entry: { pattern: 'corp.test', source: 'team' } },
      { kind: 'timed_out', address, listing },
      { kind: 'internal_error', address, listing },
    ];
    for (const evidence of evidences) expect(keptFor(evidence)).toBeNull();
  });

  it('does not change the facts', () => {
    const evidence = asked(JANE, { probe: aReply('mailbox_not_found'), catchAll: 'no' });
    expect(factsToStore(evidence, NOW, 30, { roleIsRisky: false })[0]?.facts).toEqual(evidence.facts);
  });

  it.each([
    [
      'Jane.Doe+x@corp.test',
      '<jane.doe+x@corp.test>: no such user Jane.Doe+x',
      '<[address]>: no such user [address]',
    ],
    ['a.b@corp.test', 'a.b@corp.test (aXb is another)', '[address] (aXb is another)'],
    ['josé@corp.test', 'josé@corp.test unknown', '[address] unknown'],
    ['$x^{1}@corp.test', 'no $x^{1} here', 'no [address] here'],
    ['jane@corp.test', 'janet is not asked about', 'janet is not asked about'],
  ])('removes %s from the stored reply', (email, said, kept) => {
    const probe = aReply('mailbox_not_found', {}, said);
    const facts = factsToStore(asked(email, { probe }), NOW, 30, { roleIsRisky: false })[0]?.facts;
    expect(facts?.probe?.evidence?.text).toBe(kept);
  });

  it('removes the same from ASCII replies as from others', () => {
    const pieces = [
      'jane',
      'Jane@corp.test',
      '"j d"',
      '"J D"@corp.test',
      'j d',
      ' ',
      '.',
      '+',
      '<',
      '>',
      'x',
    ];
    const texts = pieces.flatMap((a) => pieces.flatMap((b) => pieces.map((c) => `${a}${b}${c}jane`)));
    for (const email of ['jane@corp.test', '"j d"@corp.test', 'x+y@corp.test']) {
      const kept = (said: string) => {
        const evidence = asked(email, { probe: aReply('mailbox_not_found', {}, said) });
        const stored = factsToStore(evidence, NOW, 30, { roleIsRisky: false });
        return stored[0]?.facts.probe?.evidence?.text;
      };
      expect(texts.map((text) => `${kept(text)} é`)).toEqual(texts.map((text) => kept(`${text} é`)));
    }
  });
});
