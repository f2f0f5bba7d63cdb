import { parseEmailAddress } from '../../../src/engine/address/email-address.js';
import type { Verdict } from '../../../src/kernel/verdict.js';
import {
  RULE_CHECKS,
  valuesOf,
  type Conditions,
  type Rule,
} from '../../../src/modules/policy/domain/rule.js';

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
  const { domain, dns, checks, estimate } = verdict;
  const parsed = parseEmailAddress(verdict.normalizedEmail ?? '');
  const isBelow = (name: string) => (suffix: string) => name === suffix || name.endsWith(`.${suffix}`);
  const tests: Record<keyof Conditions, () => boolean> = {
    email: () => parsed.ok && valuesOf(conditions.email).includes(parsed.address.key),
    domain: () => domain !== null && valuesOf(conditions.domain).includes(domain),
    domain_suffix: () => domain !== null && valuesOf(conditions.domain_suffix).some(isBelow(domain)),
    tld: () => domain !== null && valuesOf(conditions.tld).includes(domain.split('.').at(-1)!),
    mx_host_suffix: () => dns.mx.some(({ host }) => valuesOf(conditions.mx_host_suffix).some(isBelow(host))),
    provider: () => dns.provider !== null && valuesOf(conditions.provider).includes(dns.provider),
    reason: () => valuesOf(conditions.reason).includes(verdict.reason),
    status: () => valuesOf(conditions.status).includes(verdict.status),
    checks: () => valuesOf(conditions.checks).every((check) => checks[RULE_CHECKS[check]] === true),
    estimate_below: () => estimate !== null && estimate.deliverable < conditions.estimate_below!,
  };
  return Object.entries(tests).every(
    ([name, test]) => conditions[name as keyof Conditions] === undefined || test(),
  );
}
