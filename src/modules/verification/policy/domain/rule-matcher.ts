import { addressKeyOf } from '../../../../engine/address/email-address.js';
import type { Checks, Reason, Status, Verdict } from '../../../../kernel/verdict.js';
import { RULE_CHECKS, valuesOf, type Conditions } from './rule.js';
import { RuleSet } from './rule-set.js';
import { ValueIndex } from './value-index.js';

/** What a rule reads of a verdict; `reason` and `status` null: of a domain, of whose addresses none is known. */
export interface Judged extends Pick<Verdict, 'normalizedEmail' | 'domain' | 'dns' | 'checks' | 'estimate'> {
  reason: Reason | null;
  status: Status | null;
}

/** The members that compare texts: adds the rules that name what the verdict has. */
const READERS = {
  email: ({ normalizedEmail }, index, found) => {
    if (normalizedEmail !== null) index.addFor(addressKeyOf(normalizedEmail), found);
  },
  domain: ({ domain }, index, found) => {
    if (domain !== null) index.addFor(domain, found);
  },
  domain_suffix: ({ domain }, index, found) => {
    if (domain !== null) index.addForDomain(domain, found);
  },
  tld: ({ domain }, index, found) => {
    if (domain !== null) index.addFor(domain.slice(domain.lastIndexOf('.') + 1), found);
  },
  mx_host_suffix: ({ dns }, index, found) => {
    for (const { host } of dns.mx) index.addForDomain(host, found);
  },
  provider: ({ dns }, index, found) => {
    if (dns.provider !== null) index.addFor(dns.provider, found);
  },
  reason: ({ reason }, index, found) => {
    if (reason !== null) index.addFor(reason, found);
  },
  status: ({ status }, index, found) => {
    if (status !== null) index.addFor(status, found);
  },
} as const satisfies Partial<
  Record<keyof Conditions, (verdict: Judged, index: ValueIndex, found: RuleSet) => void>
>;

/**
 * Finds the rules whose conditions all match a verdict. Each value of a member has the set of rules that name it, so
 * the work depends on the values of the verdict, and hardly on the number of rules.
 */
export class RuleMatcher {
  private readonly candidates: RuleSet;
  private readonly members: { read: (typeof READERS)[keyof typeof READERS]; index: ValueIndex }[] = [];
  private readonly checks: { name: keyof Checks; rules: RuleSet }[] = [];
  private readonly estimates: { position: number; below: number }[] = [];
  // Filled for each verdict: a new set for each would cost more than the comparison.
  private readonly matching: RuleSet;
  private readonly accepting: RuleSet;

  /** @param conditions of each rule, by its position; null: it never matches. */
  constructor(conditions: readonly (Conditions | null)[]) {
    const { length } = conditions;
    [this.candidates, this.matching, this.accepting] = [
      new RuleSet(length),
      new RuleSet(length),
      new RuleSet(length),
    ];
    conditions.forEach((one, position) => {
      if (one !== null) this.candidates.add(position);
      if (one?.estimate_below !== undefined) this.estimates.push({ position, below: one.estimate_below });
    });
    for (const name of Object.keys(READERS) as (keyof typeof READERS)[]) {
      const index = new ValueIndex(conditions.map((one) => one?.[name]));
      if (index.isUsed) this.members.push({ read: READERS[name], index });
    }
    for (const [check, name] of Object.entries(RULE_CHECKS)) {
      const rules = new RuleSet(length);
      const requires = (one: Conditions | null) => valuesOf(one?.checks).some((each) => each === check);
      conditions.forEach((one, position) => requires(one) && rules.add(position));
      if (rules.next(0) !== -1) this.checks.push({ name, rules });
    }
  }

  /** @returns valid until the next call. */
  match(verdict: Judged): RuleSet {
    const { matching, accepting } = this;
    matching.copy(this.candidates);
    for (const { read, index } of this.members) {
      index.start(accepting);
      read(verdict, index, accepting);
      if (!matching.retain(accepting)) return matching;
    }
    for (const { name, rules } of this.checks) if (verdict.checks[name] !== true) matching.removeAll(rules);
    const { estimate } = verdict;
    for (const { position, below } of this.estimates)
      if (estimate === null || estimate.deliverable >= below) matching.remove(position);
    return matching;
  }
}
