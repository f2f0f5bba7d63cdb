import { beforeEach, describe, expect, it } from '@jest/globals';
import type { SmtpEvidence, SmtpStage } from '../../../kernel/verdict.js';
import { aReply, aSilence } from '../../../../test/support/evidence.js';
import { Breakers } from './breakers.js';
import type { ProbeOutcome } from './mailbox-prober.js';

const MINUTE = 60_000;
const MX = [{ host: 'mx1.corp.test', preference: 10 }];
const GOOGLE = [{ host: 'aspmx.l.google.com', preference: 1 }];

let breakers: Breakers;
let nowMs: number;
beforeEach(() => {
  breakers = new Breakers((domain) => domain.split('.').slice(-2).join('.'));
  nowMs = 1_000_000;
});

const open = (domain: string, hosts = MX) => breakers.passage(domain, hosts, nowMs).hosts.length > 0;

function refusal(stage: SmtpStage, mxHost = 'mx1.corp.test'): SmtpEvidence {
  return {
    stage,
    code: 554,
    enhancedCode: '5.7.1',
    category: 'sender_blocked',
    mxHost,
    attempts: 1,
    tls: false,
    text: 'blocked: jane@corp.test',
  };
}

function refuse(domain: string, stage: SmtpStage, mxHost?: string): void {
  const evidence = refusal(stage, mxHost);
  breakers.learn(
    domain,
    { end: 'replied', evidence, random: null, smtputf8: null, refusals: [evidence] },
    nowMs,
  );
}

function answer(domain: string, part: Partial<ProbeOutcome> = {}): void {
  const probe = aReply('mailbox_not_found');
  const evidence = probe.evidence && { ...probe.evidence, mxHost: 'mx1.corp.test' };
  breakers.learn(domain, { ...probe, evidence, refusals: [], ...part }, nowMs);
}

describe('a refusal before RCPT', () => {
  it('closes the way to that host, for every domain', () => {
    refuse('corp.test', 'banner');
    expect([open('corp.test'), open('other.test')]).toEqual([false, false]);
    expect(open('other.test', [{ host: 'mx2.corp.test', preference: 10 }])).toBe(true);
  });

  it('leaves the other hosts of the domain to be asked', () => {
    refuse('corp.test', 'mail');
    const both = [...MX, { host: 'mx2.corp.test', preference: 20 }];
    expect(breakers.passage('corp.test', both, nowMs)).toEqual({ hosts: [both[1]], refusal: null });
  });

  it('is the evidence of all who are kept from asking', () => {
    refuse('corp.test', 'banner');
    expect(breakers.passage('other.test', MX, nowMs).refusal).toEqual({ ...refusal('banner'), attempts: 0 });
  });
});

describe('a refusal at RCPT', () => {
  it('closes the way to that domain only, and tells nobody whose address was asked about', () => {
    refuse('corp.test', 'rcpt');
    expect([open('corp.test'), open('other.test')]).toEqual([false, true]);
    expect(breakers.passage('corp.test', MX, nowMs).refusal).toMatchObject({
      code: 554,
      text: null,
      attempts: 0,
    });
  });

  it('closes the way to a provider once three unrelated domains have refused within ten minutes', () => {
    refuse('a.one.com', 'rcpt', GOOGLE[0]?.host);
    refuse('b.one.com', 'rcpt', GOOGLE[0]?.host);
    refuse('two.com', 'rcpt', GOOGLE[0]?.host);
    expect(open('three.com', GOOGLE)).toBe(true);
    refuse('three.com', 'rcpt', GOOGLE[0]?.host);
    expect(open('four.com', GOOGLE)).toBe(false);
  });

  it('does not count for a provider when they lie further apart', () => {
    for (const domain of ['one.com', 'two.com', 'three.com']) {
      refuse(domain, 'rcpt', GOOGLE[0]?.host);
      nowMs += 6 * MINUTE;
    }
    expect(open('four.com', GOOGLE)).toBe(true);
  });
});

describe('an open breaker', () => {
  beforeEach(() => refuse('corp.test', 'rcpt'));

  it('lets one question through after five minutes, and no other before its answer', () => {
    nowMs += 5 * MINUTE - 1;
    expect(open('corp.test')).toBe(false);
    nowMs += 1;
    expect([open('corp.test'), open('corp.test')]).toEqual([true, false]);
  });

  it('lets another through a minute later when the first one came to nothing', () => {
    nowMs += 5 * MINUTE;
    open('corp.test');
    answer('corp.test', aSilence('timeout', 'connect'));
    expect(open('corp.test')).toBe(false);
    nowMs += MINUTE;
    expect(open('corp.test')).toBe(true);
  });

  it('stays open for twice as long after each refused trial, up to an hour', () => {
    const pauses = [5, 10, 20, 40, 60, 60];
    for (const [index, minutes] of pauses.entries()) {
      nowMs += minutes * MINUTE - 1;
      expect([index, open('corp.test')]).toEqual([index, false]);
      nowMs += 1;
      expect([index, open('corp.test')]).toEqual([index, true]);
      refuse('corp.test', 'rcpt');
    }
  });

  it('is closed by any answer about a recipient', () => {
    nowMs += 5 * MINUTE;
    open('corp.test');
    answer('corp.test');
    expect([open('corp.test'), open('corp.test'), breakers.isAnyOpen(nowMs)]).toEqual([true, true, false]);
  });

  it('is not kept open for longer by questions that were under way', () => {
    for (let n = 0; n < 10; n += 1) refuse('corp.test', 'rcpt');
    nowMs += 5 * MINUTE;
    expect(open('corp.test')).toBe(true);
  });

  it('shows as long as it is open', () => {
    expect(breakers.isAnyOpen(nowMs)).toBe(true);
    nowMs += 5 * MINUTE;
    expect(breakers.isAnyOpen(nowMs)).toBe(false);
  });
});
