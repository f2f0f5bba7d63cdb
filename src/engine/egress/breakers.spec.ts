import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  aRejection,
  answeredBy,
  asked,
  atMicrosoft,
  REJECTIONS,
  rejectedBy,
} from '../../../test/support/verification/rejections.js';
import { aSilence } from '../../../test/support/verification/evidence.js';
import type { SmtpStage } from '../../kernel/verdict.js';
import { Breakers } from './breakers.js';

const MINUTE = 60_000;
const MX = 'mx1.corp.test';
const OTHER_MX = 'mx2.corp.test';

let breakers: Breakers;
let nowMs: number;
let names: number;
beforeEach(() => {
  breakers = new Breakers((domain) => domain.split('.').slice(-2).join('.'));
  nowMs = 1_000_000;
  names = 0;
});

const to = (...hosts: string[]) => hosts.map((host) => ({ host, preference: 10 }));
/** The hosts that the breakers allow a tenant for an address of the domain. */
const hosts = (tenant: string, domain: string, ...mx: string[]) =>
  breakers.allowedHosts(asked(tenant, `jane@${domain}`), to(...mx), nowMs).map(({ host }) => host);
const mayAsk = (tenant: string, domain = 'corp.test', mx = MX) => hosts(tenant, domain, mx).length > 0;

interface How {
  mx?: string;
  text?: string;
  stage?: SmtpStage;
  times?: number;
}

/** Each about a new address. */
function reject(tenant: string, domain = 'corp.test', { mx = MX, text, stage, times = 1 }: How = {}): void {
  for (let n = 0; n < times; n += 1)
    breakers.record(asked(tenant, `r${(names += 1)}@${domain}`), rejectedBy(mx, text, stage), nowMs);
}

function answer(tenant: string, domain = 'corp.test', mx = MX, email = `a${(names += 1)}@${domain}`): void {
  breakers.record(asked(tenant, email), answeredBy(mx), nowMs);
}

describe('rejections before RCPT', () => {
  const before = { stage: 'banner', times: 3 } as const;

  it('block that host for the tenant after three, for every domain', () => {
    reject('a', 'corp.test', { ...before, times: 2 });
    expect(mayAsk('a')).toBe(true);
    reject('a', 'corp.test', { ...before, times: 1 });
    expect([mayAsk('a'), mayAsk('a', 'other.test'), mayAsk('a', 'other.test', OTHER_MX)]).toEqual([
      false,
      false,
      true,
    ]);
  });

  it('do not block other hosts of the domain', () => {
    reject('a', 'corp.test', before);
    expect(hosts('a', 'corp.test', MX, OTHER_MX)).toEqual([OTHER_MX]);
  });

  it('do not block other tenants, which then need one rejection of their own', () => {
    reject('a', 'corp.test', before);
    expect(mayAsk('b')).toBe(true);
    reject('b', 'other.test', { ...before, times: 1 });
    expect(mayAsk('b')).toBe(false);
  });

  it('count for the MX host name, wherever it points', () => {
    reject('a', 'stranger.test', { ...before, mx: 'mx.stranger.test' });
    reject('b', 'stranger.test', { ...before, mx: 'mx.stranger.test' });
    expect([mayAsk('a'), mayAsk('b')]).toEqual([true, true]);
  });

  it('do not count when another address of the same host accepted the connection', () => {
    for (const name of ['jane', 'jack', 'jill', 'john']) {
      const outcome = answeredBy(MX, [aRejection(MX, REJECTIONS.sender, 'banner')]);
      breakers.record(asked('a', `${name}@corp.test`), outcome, nowMs);
    }
    expect(mayAsk('a')).toBe(true);
  });

  it('count once for all addresses of a host', () => {
    const one = aRejection(MX, REJECTIONS.sender, 'banner');
    breakers.record(asked('a', 'jane@corp.test'), { ...rejectedBy(MX), rejections: [one, one, one] }, nowMs);
    expect(mayAsk('a')).toBe(true);
  });
});

describe('rejections at RCPT', () => {
  it('block that domain only, and for that tenant only', () => {
    reject('a', 'corp.test', { times: 3 });
    expect([mayAsk('a'), mayAsk('a', 'other.test'), mayAsk('b')]).toEqual([false, true, true]);
  });

  it('of one mailbox do not block its domain, however often it is probed', () => {
    for (let n = 0; n < 20; n += 1)
      breakers.record(asked('a', 'jane@corp.test'), rejectedBy(MX, REJECTIONS.sender), nowMs);
    expect(mayAsk('a')).toBe(true);
  });

  it('of a recipient block nothing, however many there are', () => {
    reject('a', 'corp.test', { text: REJECTIONS.recipient, times: 20 });
    expect([mayAsk('a'), mayAsk('b')]).toEqual([true, true]);
  });

  it.each([REJECTIONS.tenant, REJECTIONS.nobody])(
    'that do not concern us do not count for other tenants (%s)',
    (text) => {
      reject('a', 'corp.test', { text, times: 10 });
      reject('b', 'corp.test', { text, times: 2 });
      expect([mayAsk('a'), mayAsk('b')]).toEqual([false, true]);
    },
  );

  it('that concern us need one of another tenant’s own', () => {
    reject('a', 'corp.test', { times: 3 });
    reject('b');
    expect(mayAsk('b')).toBe(false);
  });

  it('count for one egress route', () => {
    for (const name of ['jane', 'jack', 'jill'])
      breakers.record(asked('a', `${name}@corp.test`, 'second'), rejectedBy(MX), nowMs);
    expect(mayAsk('a')).toBe(true);
    expect(breakers.allowedHosts(asked('a', 'jane@corp.test', 'second'), to(MX), nowMs)).toEqual([]);
  });
});

describe('answers', () => {
  it('keep a breaker closed until 80 % of the outcomes are rejections', () => {
    answer('a');
    reject('a', 'corp.test', { times: 3 });
    expect(mayAsk('a')).toBe(true);
    reject('a');
    expect(mayAsk('a')).toBe(false);
  });

  it('count for ten minutes, as rejections do', () => {
    reject('a', 'corp.test', { times: 2 });
    nowMs += 10 * MINUTE;
    reject('a');
    expect(mayAsk('a')).toBe(true);
    reject('a', 'corp.test', { times: 2 });
    expect(mayAsk('a')).toBe(false);
  });

  it('of another tenant end the pause, and one more rejection starts the next', () => {
    reject('a', 'corp.test', { times: 3 });
    answer('b');
    expect(mayAsk('a')).toBe(true);
    reject('a');
    expect(mayAsk('a')).toBe(false);
  });
});

describe('a provider', () => {
  let domains: number;
  beforeEach(() => {
    domains = 0;
  });
  const rejectAt = (tenant: string, count: number, text = REJECTIONS.sender) => {
    for (let n = 0; n < count; n += 1) {
      const domain = `rejecting${(domains += 1)}.test`;
      reject(tenant, domain, { mx: atMicrosoft(domain), text });
    }
  };
  const mayAskMicrosoft = (tenant: string) => mayAsk(tenant, 'victim.test', atMicrosoft('victim.test'));

  it('is not blocked by one tenant, however many requests it makes', () => {
    rejectAt('stranger', 200);
    expect([mayAskMicrosoft('a'), mayAskMicrosoft('stranger')]).toEqual([true, true]);
  });

  it('is blocked for a tenant rejected at two domains, when two others were rejected at four more', () => {
    rejectAt('a', 2);
    rejectAt('b', 2);
    rejectAt('c', 1);
    expect(mayAskMicrosoft('c')).toBe(true);
    rejectAt('c', 1);
    expect([mayAskMicrosoft('c'), mayAskMicrosoft('a')]).toEqual([false, true]);
    rejectAt('a', 1);
    expect(mayAskMicrosoft('a')).toBe(false);
  });

  it('is not blocked for a tenant without rejections, though a thousand accounts have some', () => {
    for (let n = 0; n < 1_000; n += 1) rejectAt(`stranger ${n}`, 3);
    expect(mayAskMicrosoft('a')).toBe(true);
  });

  it('is not blocked by subdomains of one domain', () => {
    for (const tenant of ['a', 'b', 'c'])
      for (let n = 0; n < 10; n += 1) {
        const domain = `d${n}.stranger.test`;
        reject(tenant, domain, { mx: atMicrosoft(domain) });
      }
    expect(mayAskMicrosoft('c')).toBe(true);
  });

  it('is not blocked while 20 % of the tenants or more are answered', () => {
    const answered = () => answer('d', 'good.test', atMicrosoft('good.test'));
    answered();
    for (const tenant of ['a', 'b', 'c']) rejectAt(tenant, 3);
    expect(mayAskMicrosoft('c')).toBe(true);
    rejectAt('e', 3);
    expect(mayAskMicrosoft('e')).toBe(false);
    answered();
    expect(mayAskMicrosoft('e')).toBe(true);
  });

  it.each(['tenant', 'recipient', 'nobody'] as const)('is not closed by rejections of %s', (whom) => {
    for (const tenant of ['a', 'b', 'c', 'd', 'e']) rejectAt(tenant, 10, REJECTIONS[whom]);
    expect(['a', 'b', 'c', 'd', 'e'].map(mayAskMicrosoft)).toEqual([true, true, true, true, true]);
  });

  it('has a half-open probe after the pause, and is blocked again only while others are rejected too', () => {
    for (const tenant of ['a', 'b', 'c']) rejectAt(tenant, 2);
    expect(mayAskMicrosoft('c')).toBe(false);
    nowMs += 10 * MINUTE;
    expect([mayAskMicrosoft('c'), mayAskMicrosoft('c')]).toEqual([true, false]);
    rejectAt('c', 1);
    expect(mayAskMicrosoft('c')).toBe(true);
  });
});

describe('an open breaker', () => {
  beforeEach(() => reject('a', 'corp.test', { times: 3 }));

  it('allows one request after five minutes, and no other before its result', () => {
    nowMs += 5 * MINUTE - 1;
    expect(mayAsk('a')).toBe(false);
    nowMs += 1;
    expect([mayAsk('a'), mayAsk('a')]).toEqual([true, false]);
  });

  it('allows another one a minute later when the first had no result', () => {
    nowMs += 5 * MINUTE;
    mayAsk('a');
    const silence = { ...aSilence('timeout', 'connect'), rejections: [] };
    breakers.record(asked('a', 'jane@corp.test'), silence, nowMs);
    expect(mayAsk('a')).toBe(false);
    nowMs += MINUTE;
    expect(mayAsk('a')).toBe(true);
  });

  it('uses no half-open probe when the request cannot be sent for another reason', () => {
    reject('a', 'other.test', { stage: 'banner', times: 3 });
    nowMs += 1;
    reject('a', 'third.test', { mx: OTHER_MX, stage: 'banner', times: 3 });
    nowMs += 5 * MINUTE - 1;
    expect(mayAsk('a', 'corp.test', OTHER_MX)).toBe(false);
    expect(mayAsk('a', 'corp.test', 'mx3.corp.test')).toBe(true);
  });

  it('stays open twice as long after each rejected probe, up to an hour', () => {
    const pauses = [5, 10, 20, 40, 60, 60];
    for (const [index, minutes] of pauses.entries()) {
      nowMs += minutes * MINUTE - 1;
      expect([index, mayAsk('a')]).toEqual([index, false]);
      nowMs += 1;
      expect([index, mayAsk('a')]).toEqual([index, true]);
      reject('a');
    }
  });

  it('is closed by any answer about a recipient', () => {
    nowMs += 5 * MINUTE;
    mayAsk('a');
    answer('a');
    expect([mayAsk('a'), mayAsk('a')]).toEqual([true, true]);
    expect(breakers.open(nowMs)).toMatchObject([{ count: 0 }, { count: 0 }, { count: 0 }, { count: 0 }]);
  });

  it('is not extended by requests in flight', () => {
    nowMs += 5 * MINUTE - 1;
    reject('a', 'corp.test', { times: 10 });
    nowMs += 1;
    expect(mayAsk('a')).toBe(true);
  });

  it('is counted while it is open, once for all tenants', () => {
    reject('b', 'corp.test', { times: 3 });
    expect(breakers.open(nowMs)).toEqual([
      { of: 'domain', count: 1 },
      { of: 'host', count: 0 },
      { of: 'provider', count: 0 },
      { of: 'egress', count: 0 },
    ]);
    nowMs += 5 * MINUTE;
    expect(breakers.open(nowMs)[0]).toEqual({ of: 'domain', count: 0 });
  });
});
