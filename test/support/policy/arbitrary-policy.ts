import fc from 'fast-check';
import {
  DECISIONS,
  REASONS,
  STATUS_OF,
  STATUSES,
  type Reason,
  type Verdict,
} from '../../../src/kernel/verdict.js';
import {
  RULE_CHECKS,
  type Conditions,
  type Rule,
  type RuleCheck,
} from '../../../src/modules/verification/policy/domain/rule.js';

/** Few values, so that rules match often; some end others, with and without a border of labels. */
export const DOMAINS = [
  'example.com',
  'mail.example.com',
  'notexample.com',
  'com',
  'example.co.uk',
  'xn--bcher-kva.example',
  'corp.test',
];
const EMAILS = DOMAINS.map((domain) => `jane@${domain}`);
const PROVIDERS = ['google', 'microsoft', 'acme'];
const CHECKS = Object.keys(RULE_CHECKS) as RuleCheck[];

const oneOrMore = <T>(values: readonly T[]) =>
  fc.oneof(
    fc.constantFrom(...values),
    fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 4 }),
  );

export const conditions: fc.Arbitrary<Conditions> = fc.record(
  {
    email: oneOrMore(EMAILS),
    domain: oneOrMore(DOMAINS),
    domain_suffix: oneOrMore(DOMAINS),
    tld: oneOrMore(['com', 'uk', 'test', 'example']),
    mx_host_suffix: oneOrMore(DOMAINS),
    provider: oneOrMore(PROVIDERS),
    reason: oneOrMore(REASONS),
    status: oneOrMore(STATUSES),
    checks: oneOrMore(CHECKS),
    estimate_below: fc.constantFrom(0, 0.25, 0.5, 1),
  },
  { requiredKeys: [] },
);
/** With at most two members most of the time: more hardly ever match. */
const fewConditions = fc
  .tuple(conditions, fc.integer({ min: 0, max: 3 }))
  .map(([all, count]) => Object.fromEntries(Object.entries(all).slice(0, count)) as Conditions);

export const NOW_MS = Date.parse('2026-11-21T12:00:00.000Z');
const EXPIRIES = ['2026-11-21T11:59:59.999Z', '2026-11-21T12:00:00.000Z', '2026-11-21T12:00:00.001Z'];

export const rule: fc.Arbitrary<Omit<Rule, 'id'>> = fc.record({
  when: fewConditions,
  unless: fc.option(fewConditions, { freq: 2 }),
  decision: fc.constantFrom(...DECISIONS),
  note: fc.constant(null),
  expires_at: fc.option(fc.constantFrom(...EXPIRIES), { freq: 2 }),
});

export const rules = (maxLength = 40): fc.Arbitrary<Rule[]> =>
  fc.array(rule, { maxLength }).map((all) => all.map((one, n) => ({ id: `r${n}`, ...one })));

const flag = fc.boolean();
const known = fc.option(fc.boolean());

export const verdict: fc.Arbitrary<Verdict> = fc
  .record({
    local: fc.constantFrom('jane', 'Jane', 'joe'),
    domain: fc.constantFrom(...DOMAINS),
    reason: fc.constantFrom(...REASONS),
    hosts: fc.array(fc.constantFrom(...DOMAINS.map((domain) => `mx.${domain}`), ...DOMAINS), {
      maxLength: 4,
    }),
    provider: fc.option(fc.constantFrom(...PROVIDERS)),
    deliverable: fc.option(fc.constantFrom(0, 0.2, 0.25, 0.5, 0.9, 1)),
    decision: fc.constantFrom(...DECISIONS),
    checks: fc.record({
      disposable: flag,
      privacyRelay: flag,
      role: flag,
      free: flag,
      subaddress: flag,
      noReply: flag,
      catchAll: known,
      mailboxFull: known,
      disabled: known,
      smtputf8: known,
    }),
  })
  .map(({ local, domain, reason, hosts, provider, deliverable, decision, checks }) => {
    const isAddress = reason !== 'invalid_syntax';
    return {
      ...aVerdict(reason),
      email: `${local}@${domain}`,
      normalizedEmail: isAddress ? `${local}@${domain}` : null,
      domain: isAddress ? domain : null,
      checks,
      dns: {
        mxFound: hosts.length > 0,
        implicitMx: false,
        nullMx: false,
        mx: hosts.map((host, n) => ({ host, preference: n })),
        provider,
      },
      policy: { decision, rule: null },
      estimate: deliverable === null ? null : { deliverable, low: 0, high: 1, basis: 'domain', outcomes: 10 },
    };
  });

/** A verdict on `jane@example.com`. */
export function aVerdict(reason: Reason = 'accepted_email'): Verdict {
  return {
    email: 'jane@example.com',
    normalizedEmail: 'jane@example.com',
    localPart: 'jane',
    domain: 'example.com',
    status: STATUS_OF[reason],
    reason,
    reasonOfFacts: reason,
    score: 50,
    didYouMean: null,
    checks: {
      disposable: false,
      privacyRelay: false,
      role: false,
      free: false,
      subaddress: false,
      noReply: false,
      catchAll: null,
      mailboxFull: null,
      disabled: null,
      smtputf8: null,
    },
    dns: { mxFound: true, implicitMx: false, nullMx: false, mx: [], provider: null },
    smtp: null,
    policy: { decision: 'review', rule: null },
    outcome: null,
    estimate: null,
    listMatch: null,
    retryAfter: null,
    verifiedAt: new Date(NOW_MS),
    cached: false,
    ageSeconds: 0,
    durationMs: 1,
  };
}
