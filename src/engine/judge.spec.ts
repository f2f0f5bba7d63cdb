import { describe, expect, it } from '@jest/globals';
import {
  anAddress,
  aReply,
  aRoute,
  asked,
  aSilence,
  listingOf,
} from '../../test/support/verification/evidence.js';
import { SMTP_CATEGORIES } from '../kernel/verdict.js';
import type { AddressFacts, Evidence } from './evidence.js';
import { judge } from './judge.js';

const NOT_RISKY = { roleIsRisky: false };
const JANE = 'jane@corp.test';
const accepted = aReply('accepted');
const CANNOT_VERIFY = { ...accepted, evidence: { ...accepted.evidence!, code: 252 } };

/** `status reason score decision`. */
function inShort({ status, reason, score, policy }: ReturnType<typeof judge>): string {
  return [status, reason, score, policy.decision].join(' ');
}

const judged = (evidence: Evidence, rules = NOT_RISKY) => judge(evidence, rules);

describe('evidence → status, reason, score and decision', () => {
  it.each<[string, Partial<AddressFacts>, string]>([
    ['no such domain', { route: { kind: 'no_domain' } }, 'undeliverable invalid_domain 0 reject'],
    ['no mail server', { route: { kind: 'no_mail_server' } }, 'undeliverable no_mail_server 0 reject'],
    ['a null MX', { route: { kind: 'null_mx' } }, 'undeliverable null_mx 0 reject'],
    ['a DNS that fails', { route: { kind: 'dns_error' } }, 'unknown dns_error 30 review'],
    ['mail servers not asked', { probe: null }, 'unknown smtp_disabled 30 review'],

    [
      'accepted, a random one rejected',
      { probe: accepted, catchAll: 'no' },
      'deliverable accepted_email 95 accept',
    ],
    ['accepted, a random one too', { probe: accepted, catchAll: 'yes' }, 'risky catch_all 50 review'],
    ['accepted, nothing told of others', { probe: accepted }, 'risky catch_all_unknown 50 review'],
    ['accepted with 252', { probe: CANNOT_VERIFY, catchAll: 'no' }, 'risky catch_all_unknown 50 review'],
    [
      'accepted by Yahoo, who bounces later',
      { probe: accepted, catchAll: 'no', route: aRoute('mta5.am0.yahoodns.net') },
      'risky inconclusive_provider 60 review',
    ],
    ['receiving too fast', { probe: aReply('rate_limited') }, 'deliverable accepted_email 80 accept'],
    ['no such mailbox', { probe: aReply('mailbox_not_found') }, 'undeliverable mailbox_not_found 0 reject'],
    [
      'no such mailbox at Yahoo',
      { probe: aReply('mailbox_not_found'), route: aRoute('mta5.am0.yahoodns.net') },
      'undeliverable mailbox_not_found 0 reject',
    ],
    ['a closed mailbox', { probe: aReply('mailbox_disabled') }, 'undeliverable mailbox_disabled 0 reject'],
    ['a full mailbox', { probe: aReply('mailbox_full') }, 'risky mailbox_full 40 review'],
    ['greylisted', { probe: aReply('greylisted') }, 'unknown greylisted 30 review'],
    ['a passing failure', { probe: aReply('temporary') }, 'unknown temporary_failure 30 review'],
    ['we are rejected', { probe: aReply('sender_blocked') }, 'unknown sender_blocked 30 review'],
    ['rejected by policy', { probe: aReply('policy') }, 'unknown recipient_policy 30 review'],
    ['a reply that is no SMTP', { probe: aReply('protocol') }, 'unknown smtp_protocol_error 30 review'],
    ['no SMTPUTF8 in a reply', { probe: aReply('smtputf8') }, 'undeliverable smtputf8_unsupported 0 reject'],
    ['takes no mail at all', { probe: aReply('null_mx') }, 'undeliverable null_mx 0 reject'],

    ['nobody listens', { probe: aSilence('no_connect', 'connect') }, 'unknown no_connect 30 review'],
    ['too slow', { probe: aSilence('timeout', 'banner') }, 'unknown timeout 30 review'],
    [
      'broken off',
      { probe: aSilence('smtp_protocol_error', 'ehlo') },
      'unknown smtp_protocol_error 30 review',
    ],
    [
      'private hosts',
      { probe: aSilence('unsafe_mail_server', 'connect') },
      'unknown unsafe_mail_server 30 review',
    ],
    [
      'MX without address',
      { probe: aSilence('no_address', 'connect') },
      'undeliverable no_mail_server 0 reject',
    ],
    ['hosts not resolved', { probe: aSilence('dns_error', 'connect') }, 'unknown dns_error 30 review'],
    [
      'no host with SMTPUTF8',
      { probe: aSilence('smtputf8_unsupported', 'ehlo') },
      'undeliverable smtputf8_unsupported 0 reject',
    ],
  ])('%s', (_, facts, verdict) => {
    expect(inShort(judged(asked(JANE, facts)))).toBe(verdict);
  });

  const address = anAddress(JANE);
  const listing = listingOf(address);
  it.each<[Evidence, string, string | null]>([
    [{ kind: 'syntax', error: 'no_at_sign' }, 'undeliverable invalid_syntax 0 reject', 'syntax:no_at_sign'],
    [
      { kind: 'invalid_domain', address, listing, rule: 'special_use' },
      'undeliverable invalid_domain 0 reject',
      'domain:special_use',
    ],
    [
      { kind: 'blocked', address, listing, entry: { pattern: 'corp.test', source: 'team' } },
      'risky blocked_domain 20 reject',
      'blocklist:corp.test',
    ],
    [{ kind: 'timed_out', address, listing }, 'unknown timeout 30 review', null],
    [{ kind: 'internal_error', address, listing }, 'unknown internal_error 30 review', null],
  ])('without the network: %j', (evidence, verdict, rule) => {
    const judgement = judged(evidence);
    expect([inShort(judgement), judgement.policy.rule]).toEqual([verdict, rule]);
    expect(judgement.smtp).toBeNull();
    expect(judgement.dns).toEqual({ mxFound: null, implicitMx: null, nullMx: null, mx: [], provider: null });
  });

  it('contains the rule only if a rule determined the decision', () => {
    expect(judged(asked(JANE, { probe: accepted })).policy.rule).toBeNull();
  });
});

describe('a disposable domain', () => {
  const email = 'jane@throwaway.com';

  it('with a usable mail server is risky, without an SMTP result', () => {
    const judgement = judged(asked(email));
    expect(inShort(judgement)).toBe('risky disposable 20 review');
    expect(judgement).toMatchObject({
      smtp: null,
      checks: { disposable: true, catchAll: null },
      listMatch: { list: 'disposable', scope: 'global', pattern: 'throwaway.com', source: 'short list' },
    });
  });

  it('without one is undeliverable like any other, and still listed as disposable', () => {
    for (const kind of ['no_domain', 'no_mail_server', 'null_mx'] as const) {
      expect(judged(asked(email, { route: { kind } }))).toMatchObject({
        status: 'undeliverable',
        checks: { disposable: true },
        listMatch: { list: 'disposable' },
      });
    }
  });
});

describe('a role address', () => {
  const works = (email: string) => asked(email, { probe: accepted, catchAll: 'no' });

  it('is deliverable and loses ten points, unless the team counts roles as risky', () => {
    expect(inShort(judged(works('sales@corp.test')))).toBe('deliverable accepted_email 85 accept');
    expect(inShort(judged(works('sales@corp.test'), { roleIsRisky: true }))).toBe('risky role 85 review');
  });

  it('has the same verdict as any other address with all other evidence, whatever the team’s rule', () => {
    const others = SMTP_CATEGORIES.filter((category) => category !== 'accepted').map((category) =>
      aReply(category),
    );
    for (const probe of [null, ...others]) {
      const reasons = [NOT_RISKY, { roleIsRisky: true }].flatMap((rules) =>
        ['sales@corp.test', JANE].map((email) => judged(asked(email, { probe }), rules).reason),
      );
      expect(new Set(reasons).size).toBe(1);
    }
  });

  it('is the only address that the team’s rule affects', () => {
    expect(judged(works(JANE), { roleIsRisky: true }).reason).toBe('accepted_email');
  });

  it('is in `list_match`, unless a more significant list matches', () => {
    expect(judged(works('sales@corp.test')).listMatch).toMatchObject({ list: 'role', pattern: 'sales' });
    expect(judged(works('sales@mozmail.com')).listMatch).toMatchObject({ list: 'privacy_relay' });
    expect(judged(works('sales@throwaway.com')).listMatch).toMatchObject({ list: 'disposable' });
    expect(judged(works(JANE)).listMatch).toBeNull();
  });

  it('at a blocked domain has the blocklist entry in `list_match`', () => {
    const address = anAddress('sales@throwaway.com');
    const entry = { pattern: 'throwaway.com', source: 'team' };
    const judgement = judged({ kind: 'blocked', address, listing: listingOf(address), entry });
    expect(judgement.listMatch).toEqual({ list: 'blocklist', scope: 'team', ...entry });
  });
});

describe('the checks', () => {
  const checksFor = (facts: Partial<AddressFacts>) => judged(asked(JANE, facts)).checks;

  it('are null if they were not made, and false if they were negative', () => {
    expect(checksFor({})).toMatchObject({
      catchAll: null,
      mailboxFull: null,
      disabled: null,
      smtputf8: null,
    });
    expect(checksFor({ probe: accepted, catchAll: 'no' })).toMatchObject({
      catchAll: false,
      mailboxFull: false,
      disabled: false,
      smtputf8: true,
    });
    expect(checksFor({ probe: aReply('policy', { smtputf8: false }) })).toMatchObject({
      catchAll: null,
      mailboxFull: null,
      disabled: null,
      smtputf8: false,
    });
  });

  it('contain what the server reported about the mailbox', () => {
    expect(checksFor({ probe: aReply('mailbox_full') })).toMatchObject({ mailboxFull: true, disabled: null });
    expect(checksFor({ probe: aReply('mailbox_disabled') })).toMatchObject({
      mailboxFull: null,
      disabled: true,
    });
    expect(checksFor({ probe: accepted, catchAll: 'yes' })).toMatchObject({ catchAll: true });
  });

  it('of the lists are made with all evidence', () => {
    const { checks } = judged(asked('no-reply+x@gmail.com', { route: { kind: 'dns_error' } }));
    expect(checks).toMatchObject({ noReply: true, free: true, subaddress: true, disposable: false });
  });
});

describe('the evidence of the DNS', () => {
  const dnsFor = (route: AddressFacts['route']) => judged(asked(JANE, { route })).dns;

  it('distinguishes MX records, an implicit MX and a null MX', () => {
    const mx = [{ host: 'mx.corp.test', preference: 10 }];
    const none = { mx: [], provider: null };
    expect(dnsFor(aRoute())).toEqual({ mxFound: true, implicitMx: false, nullMx: false, mx, provider: null });
    expect(dnsFor(aRoute('mx.corp.test', true))).toMatchObject({ mxFound: false, implicitMx: true, mx });
    expect(dnsFor({ kind: 'null_mx' })).toEqual({ mxFound: false, implicitMx: false, nullMx: true, ...none });
    expect(dnsFor({ kind: 'no_domain' })).toEqual({
      mxFound: false,
      implicitMx: false,
      nullMx: false,
      ...none,
    });
  });

  it('is null if the DNS failed', () => {
    const unsaid = { mxFound: null, implicitMx: null, nullMx: null, mx: [], provider: null };
    expect(dnsFor({ kind: 'dns_error' })).toEqual(unsaid);
  });

  it('names the mail provider', () => {
    expect(dnsFor(aRoute('aspmx.l.google.com')).provider).toBe('google');
  });
});

it('only temporary results have `retry_after`', () => {
  const waiting = SMTP_CATEGORIES.filter(
    (category) => judged(asked(JANE, { probe: aReply(category) })).retryAfter,
  );
  expect(waiting).toEqual(['greylisted', 'sender_blocked']);
  expect(judged(asked(JANE, { probe: aReply('greylisted') })).retryAfter).toBe(300);
  expect(judged(asked(JANE, { probe: aSilence('timeout', 'rcpt') })).retryAfter).toBeNull();
});

it('the normalized parts of an address are returned, and none for a text that is not an address', () => {
  expect(judged(asked('Jane.Doe@CORP.test'))).toMatchObject({
    normalizedEmail: 'Jane.Doe@corp.test',
    localPart: 'Jane.Doe',
    domain: 'corp.test',
  });
  const none = { normalizedEmail: null, localPart: null, domain: null };
  expect(judged({ kind: 'syntax', error: 'empty' })).toMatchObject(none);
});
