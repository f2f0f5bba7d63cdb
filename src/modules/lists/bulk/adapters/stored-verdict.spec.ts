import { describe, expect, it } from '@jest/globals';
import type { Verdict } from '../../../../kernel/verdict.js';
import { fromStored, toStored } from './stored-verdict.js';

const VERIFIED_AT = new Date('2026-11-22T12:00:00.123Z');

const ACCEPTED: Verdict = {
  email: 'jane@example.com',
  normalizedEmail: 'jane@example.com',
  localPart: 'jane',
  domain: 'example.com',
  status: 'deliverable',
  reason: 'accepted_email',
  reasonOfFacts: 'accepted_email',
  score: 95,
  didYouMean: null,
  checks: {
    disposable: false,
    privacyRelay: false,
    role: false,
    free: false,
    subaddress: false,
    noReply: false,
    catchAll: false,
    mailboxFull: false,
    disabled: false,
    smtputf8: false,
  },
  dns: {
    mxFound: true,
    implicitMx: false,
    nullMx: false,
    mx: [{ host: 'mx.example.com', preference: 10 }],
    provider: null,
  },
  smtp: {
    stage: 'rcpt',
    code: 250,
    enhancedCode: '2.1.5',
    category: 'accepted',
    mxHost: 'mx.example.com',
    attempts: 1,
    tls: true,
    text: 'OK',
    egress: 'direct',
  },
  policy: { decision: 'accept', rule: null },
  outcome: null,
  estimate: null,
  listMatch: null,
  retryAfter: null,
  verifiedAt: VERIFIED_AT,
  cached: false,
  ageSeconds: 0,
  durationMs: 12,
};

/** No value is a usual one. */
const DIFFERENT: Verdict = {
  email: ' J\u0000\uD800@Exämple.com',
  normalizedEmail: 'j@xn--exmple-cua.com',
  localPart: '"j @"',
  domain: 'xn--exmple-cua.com',
  status: 'risky',
  reason: 'catch_all',
  reasonOfFacts: 'catch_all_unknown',
  score: 35,
  didYouMean: 'j@example.com',
  checks: {
    disposable: true,
    privacyRelay: true,
    role: true,
    free: true,
    subaddress: true,
    noReply: true,
    catchAll: true,
    mailboxFull: null,
    disabled: null,
    smtputf8: null,
  },
  dns: { mxFound: null, implicitMx: null, nullMx: null, mx: [], provider: 'google' },
  smtp: {
    stage: 'connect',
    code: null,
    enhancedCode: null,
    category: null,
    mxHost: null,
    attempts: 0,
    tls: null,
    text: null,
    rule: null,
    egress: null,
  },
  policy: { decision: 'review', rule: 'address:look_alike' },
  outcome: { kind: 'bounced', at: new Date('2026-01-02'), code: 550, enhancedCode: '5.1.1', text: 'no' },
  estimate: { deliverable: 0.5, low: 0.25, high: 0.75, basis: 'domain', outcomes: 4 },
  listMatch: { list: 'role', scope: 'team', pattern: 'j', source: 'built in' },
  retryAfter: 300,
  verifiedAt: VERIFIED_AT,
  cached: true,
  ageSeconds: 9,
  durationMs: 0,
};

const NO_ADDRESS: Verdict = {
  ...ACCEPTED,
  email: 'jane',
  normalizedEmail: null,
  localPart: null,
  domain: null,
  status: 'undeliverable',
  reason: 'invalid_syntax',
  score: 0,
  dns: { mxFound: null, implicitMx: null, nullMx: null, mx: [], provider: null },
  smtp: null,
  policy: { decision: 'reject', rule: 'syntax:no_at_sign' },
};

const UNRESOLVED: Verdict = {
  ...ACCEPTED,
  status: 'unknown',
  reason: 'dns_error',
  dns: { ...NO_ADDRESS.dns, error: '192.0.2.53:53: REFUSED' },
  smtp: null,
};

const VERDICTS = [
  ['with usual values', ACCEPTED],
  ['without a usual value', DIFFERENT],
  ['of a text that is no address', NO_ADDRESS],
  ['of a domain whose name servers fail', UNRESOLVED],
  ['of an empty text', { ...NO_ADDRESS, email: '' }],
] as const;

describe('a stored verdict', () => {
  it.each(VERDICTS)('%s is read as it was', (_, verdict) => {
    expect(fromStored(JSON.parse(toStored(verdict)))).toStrictEqual(verdict);
  });

  it('has no usual values, and keeps its meaning in later versions', () => {
    const stored = {
      email: 'jane@example.com',
      dns: { mx: [{ host: 'mx.example.com', preference: 10 }] },
      smtp: { mxHost: 'mx.example.com', text: 'OK', egress: 'direct' },
      verifiedAt: '2026-11-22T12:00:00.123Z',
      durationMs: 12,
    };
    expect(JSON.parse(toStored(ACCEPTED))).toStrictEqual(stored);
    expect(fromStored(stored)).toStrictEqual(ACCEPTED);
  });
});
