import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  aVerdict,
  NOW_MS,
  rule,
  rules,
  verdict,
} from '../../../../../test/support/policy/arbitrary-policy.js';
import { naiveDecision } from '../../../../../test/support/policy/naive-policy.js';
import { RUNS } from '../../../../../test/support/verification/property-runs.js';
import type { Verdict } from '../../../../kernel/verdict.js';
import { CompiledPolicy } from './compiled-policy.js';
import { valuesOf, type Conditions, type Rule } from './rule.js';

const aRule = (when: Conditions, more: Partial<Rule> = {}): Rule => ({
  id: 'r',
  when,
  unless: null,
  decision: 'reject',
  note: null,
  expires_at: null,
  ...more,
});
const decide = (all: readonly Rule[], about: Verdict) => new CompiledPolicy(all).decide(about, NOW_MS);
const isMatched = (when: Conditions, about: Verdict) => decide([aRule(when)], about).rule === 'team:r';
const at = (domain: string): Verdict => ({ ...aVerdict(), domain, normalizedEmail: `jane@${domain}` });

/** The same members and values in another order. */
function reversed(conditions: Conditions | null): Conditions | null {
  if (conditions === null) return null;
  const members = Object.entries(conditions).map(([name, value]) => [
    name,
    Array.isArray(value) ? [...(value as unknown[])].reverse() : (value as unknown),
  ]);
  return Object.fromEntries(members.reverse()) as Conditions;
}

describe('rules of a team, for any rules and verdicts', () => {
  it('decide as their definition does, one after the other', () => {
    const property = fc.property(rules(), verdict, (all, about) => {
      expect(decide(all, about)).toEqual(naiveDecision(all, about, NOW_MS));
    });
    fc.assert(property, RUNS);
  });

  it('decide the same about many verdicts, whatever came before', () => {
    const property = fc.property(rules(100), fc.array(verdict, { maxLength: 20 }), (all, many) => {
      const compiled = new CompiledPolicy(all);
      for (const about of many)
        expect(compiled.decide(about, NOW_MS)).toEqual(naiveDecision(all, about, NOW_MS));
    });
    fc.assert(property, { ...RUNS, numRuns: Math.ceil(RUNS.numRuns / 10) });
  });

  it('never change the verdict itself, also not its status', () => {
    const property = fc.property(rules(), verdict, (all, about) => {
      const before = structuredClone(about);
      decide(all, about);
      expect(about).toEqual(before);
    });
    fc.assert(property, RUNS);
  });

  it('change only what none matched when a rule is added below them', () => {
    const property = fc.property(rules(), rule, verdict, (all, added, about) => {
      const before = decide(all, about);
      if (before !== about.policy) expect(decide([...all, { id: 'new', ...added }], about)).toEqual(before);
    });
    fc.assert(property, RUNS);
  });

  it('do not depend on the order of members and values', () => {
    const property = fc.property(rules(), verdict, (all, about) => {
      const others = all.map((one) => ({
        ...one,
        when: reversed(one.when)!,
        unless: reversed(one.unless),
      }));
      expect(decide(others, about)).toEqual(decide(all, about));
    });
    fc.assert(property, RUNS);
  });

  it('do not depend on whether a single value stands in a list', () => {
    const listed = (conditions: Conditions | null) =>
      conditions &&
      (Object.fromEntries(
        Object.entries(conditions).map(([name, value]) => [
          name,
          typeof value === 'number' ? value : valuesOf(value as string | string[]),
        ]),
      ) as Conditions);
    const property = fc.property(rules(), verdict, (all, about) => {
      const others = all.map((one) => ({ ...one, when: listed(one.when)!, unless: listed(one.unless) }));
      expect(decide(others, about)).toEqual(decide(all, about));
    });
    fc.assert(property, RUNS);
  });
});

describe('precedence', () => {
  it('the first rule that matches decides, up to the two hundredth', () => {
    const others = Array.from({ length: 198 }, (_, n) => aRule({ domain: `d${n}.example` }, { id: `o${n}` }));
    const all = [...others, aRule({ tld: 'com' }, { id: 'a' }), aRule({ tld: 'com' }, { id: 'b' })];
    expect(decide(all, at('example.com'))).toEqual({ decision: 'reject', rule: 'team:a' });
    expect(decide(all, at('d197.example')).rule).toBe('team:o197');
  });

  it('where no rule matches, the decision stays, with the rule of the service', () => {
    const about = { ...aVerdict(), policy: { decision: 'review' as const, rule: 'complained' } };
    expect(decide([aRule({ tld: 'de' })], about)).toBe(about.policy);
  });

  it.each(['address:look_alike', 'complained'])('a rule that matches outweighs %s', (name) => {
    const about = { ...aVerdict(), policy: { decision: 'review' as const, rule: name } };
    expect(decide([aRule({ domain: 'example.com' }, { decision: 'accept' })], about)).toEqual({
      decision: 'accept',
      rule: 'team:r',
    });
  });

  it('the blocklist precedes every rule', () => {
    const policy = { decision: 'reject' as const, rule: 'blocklist:example.com' };
    const about = { ...aVerdict('blocked_domain'), policy };
    expect(decide([aRule({}, { decision: 'accept' })], about)).toBe(policy);
  });

  it('an acceptance holds against a bounce and a missing mailbox, and not against a fault of syntax', () => {
    const accept = aRule({}, { decision: 'accept' });
    expect(decide([accept], aVerdict('bounced')).decision).toBe('accept');
    expect(decide([accept], aVerdict('mailbox_not_found')).decision).toBe('accept');
    const policy = { decision: 'reject' as const, rule: 'syntax:no_at_sign' };
    const about = { ...aVerdict('invalid_syntax'), domain: null, normalizedEmail: null, policy };
    expect(decide([accept], about)).toBe(policy);
    expect(decide([accept, aRule({}, { decision: 'review', id: 'next' })], about).rule).toBe('team:next');
  });

  it('an exception lets the next rule decide, and must match in all its members', () => {
    const all = [
      aRule({ tld: 'com' }, { unless: { domain: 'example.com', status: 'deliverable' } }),
      aRule({}, { id: 'next', decision: 'review' }),
    ];
    expect(decide(all, aVerdict()).rule).toBe('team:next');
    expect(decide(all, aVerdict('catch_all')).rule).toBe('team:r');
  });

  it('a rule ends at its time', () => {
    const expires_at = new Date(NOW_MS).toISOString();
    const compiled = new CompiledPolicy([aRule({}, { expires_at })]);
    expect(compiled.decide(aVerdict(), NOW_MS - 1).rule).toBe('team:r');
    expect(compiled.decide(aVerdict(), NOW_MS).rule).toBeNull();
  });
});

describe('a condition', () => {
  it('domain_suffix ends at the border of a label', () => {
    const suffix = { domain_suffix: 'example.com' };
    expect(
      ['example.com', 'a.example.com', 'b.a.example.com'].map((name) => isMatched(suffix, at(name))),
    ).toEqual([true, true, true]);
    expect(['notexample.com', 'com', 'example.com.test'].some((name) => isMatched(suffix, at(name)))).toBe(
      false,
    );
  });

  it('tld is the last label, and domain the whole name', () => {
    expect(isMatched({ tld: 'uk' }, at('example.co.uk'))).toBe(true);
    expect(isMatched({ tld: 'k' }, at('example.co.uk'))).toBe(false);
    expect(isMatched({ domain: 'co.uk' }, at('example.co.uk'))).toBe(false);
  });

  it('mx_host_suffix needs one of the mail servers', () => {
    const mx = ['mx1.other.test', 'a.mail.example.com'].map((host, preference) => ({ host, preference }));
    const about = { ...aVerdict(), dns: { ...aVerdict().dns, mx } };
    expect(isMatched({ mx_host_suffix: 'mail.example.com' }, about)).toBe(true);
    expect(isMatched({ mx_host_suffix: 'ail.example.com' }, about)).toBe(false);
    expect(isMatched({ mx_host_suffix: 'example.com' }, aVerdict())).toBe(false);
  });

  it('email is the same in every case of ASCII letters', () => {
    const about = { ...aVerdict(), normalizedEmail: 'Jane@example.com' };
    expect(isMatched({ email: 'jane@example.com' }, about)).toBe(true);
  });

  it('checks must all be true: false and unknown do not match', () => {
    const withChecks = (catchAll: boolean | null, role: boolean): Verdict => {
      const about = aVerdict();
      return { ...about, checks: { ...about.checks, catchAll, role } };
    };
    const both = { checks: ['catch_all', 'role'] as const };
    expect(isMatched(both, withChecks(true, true))).toBe(true);
    expect(isMatched(both, withChecks(true, false))).toBe(false);
    expect(isMatched(both, withChecks(null, true))).toBe(false);
  });

  it('estimate_below never matches where nothing is known', () => {
    const estimate = { deliverable: 0.5, low: 0, high: 1, basis: 'domain' as const, outcomes: 9 };
    expect(isMatched({ estimate_below: 0.51 }, { ...aVerdict(), estimate })).toBe(true);
    expect(isMatched({ estimate_below: 0.5 }, { ...aVerdict(), estimate })).toBe(false);
    expect(isMatched({ estimate_below: 1 }, aVerdict())).toBe(false);
  });
});
