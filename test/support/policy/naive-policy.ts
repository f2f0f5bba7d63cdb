import { parseEmailAddress } from '../../../src/engine/address/email-address.js';
import type { Verdict } from '../../../src/kernel/verdict.js';
import {
  RULE_CHECKS,
  valuesOf,
  type Conditions,
  type Rule,
} from '../../../src/modules/verification/policy/domain/rule.js';

/** The meaning of rules, one after the other and without preparation; `CompiledPolicy` must decide the same. */
export function naiveDecision(rules: readonly Rule[], verdict: Verdict, nowMs: number): Verdict['policy'] {
  if (verdict.reason === 'blocked_domain') return verdict.policy;
  for (const { id, when, unless, decision, expires_at } of rules) {
    if (expires_at !== null && Date.parse(expires_at) <= nowMs) continue;
    if (decision === 'accept' && verdict.reason === 'invalid_syntax') continue;
    if (matches(when, verdict) && !(unless !== null && matches(unless, verdict)))
      return { decision, rule: `team:${id}` };
  }
  return verdict.policy;
}

function matches(conditions: Conditions, verdict: Verdict): boolean {
  const names = Object.keys(conditions) as (keyof Conditions)[];
  return names.every((name) => conditions[name] === undefined || TESTS[name](conditions, verdict));
}

const isBelow = (name: string) => (suffix: string) => name === suffix || name.endsWith(`.${suffix}`);

const TESTS: Record<keyof Conditions, (conditions: Conditions, verdict: Verdict) => boolean> = {
  email: ({ email }, { normalizedEmail }) => {
    const parsed = parseEmailAddress(normalizedEmail ?? '');
    return parsed.ok && valuesOf(email).includes(parsed.address.key);
  },
  domain: (conditions, { domain }) => domain !== null && valuesOf(conditions.domain).includes(domain),
  domain_suffix: ({ domain_suffix }, { domain }) =>
    domain !== null && valuesOf(domain_suffix).some(isBelow(domain)),
  tld: ({ tld }, { domain }) => domain !== null && valuesOf(tld).includes(domain.split('.').at(-1)!),
  mx_host_suffix: ({ mx_host_suffix }, { dns }) =>
    dns.mx.some(({ host }) => valuesOf(mx_host_suffix).some(isBelow(host))),
  provider: ({ provider }, { dns }) => dns.provider !== null && valuesOf(provider).includes(dns.provider),
  reason: (conditions, { reason }) => valuesOf(conditions.reason).includes(reason),
  status: (conditions, { status }) => valuesOf(conditions.status).includes(status),
  checks: (conditions, { checks }) =>
    valuesOf(conditions.checks).every((check) => checks[RULE_CHECKS[check]] === true),
  estimate_below: ({ estimate_below }, { estimate }) =>
    estimate !== null && estimate.deliverable < estimate_below!,
};
