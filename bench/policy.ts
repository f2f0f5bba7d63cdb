import fc from 'fast-check';
import { CompiledPolicy } from '../src/modules/verification/policy/domain/compiled-policy.js';
import type { Conditions, Rule } from '../src/modules/verification/policy/domain/rule.js';
import type { Verdict } from '../src/kernel/verdict.js';
import { aVerdict, NOW_MS, rule, verdict } from '../test/support/policy/arbitrary-policy.js';
import { naiveDecision } from '../test/support/policy/naive-policy.js';

/**
 * Measures what 200 rules cost a verdict: prepared once, and one after the other without preparation, in the same run
 * and with the same decisions. Each value is the median of rounds over 2,000 verdicts. Goal: at most 2 µs.
 *
 *     npm run ts bench/policy.ts
 */
const RULES = 200;
const VERDICTS = 2_000;
const ROUNDS = { compiled: 50, naive: 5 };

const GOOGLE = ['aspmx', 'alt1.aspmx', 'alt2.aspmx', 'alt3.aspmx', 'alt4.aspmx'].map((name, n) => ({
  host: `${name}.l.google.com`,
  preference: n,
}));

/** A verdict whose domain has three labels and five mail servers. */
function verdictOf(n: number): Verdict {
  const domain = `mail.d${n}.example.com`;
  return {
    ...aVerdict(n % 3 === 0 ? 'catch_all' : 'accepted_email'),
    normalizedEmail: `jane${n}@${domain}`,
    domain,
    dns: { ...aVerdict().dns, mx: GOOGLE, provider: 'google' },
    estimate: { deliverable: 0.9, low: 0.8, high: 1, basis: 'domain', outcomes: 10 },
  };
}

const aRule = (n: number, when: Conditions, unless: Conditions | null = null): Rule => ({
  id: `r${n}`,
  when,
  unless,
  decision: 'reject',
  note: null,
  expires_at: null,
});
const ruleSet = (each: (n: number) => Rule) => Array.from({ length: RULES }, (_, n) => each(n));
const names = (n: number) => Array.from({ length: 10 }, (_, k) => `x${n}-${k}.example`);

/** Rule sets that no verdict or hardly any leaves early. */
const SETS: Readonly<Record<string, readonly Rule[]>> = {
  'no rule matches, ten domains each': ruleSet((n) => aRule(n, { domain: names(n) })),
  'no rule matches, all members': ruleSet((n) =>
    aRule(n, {
      domain_suffix: names(n),
      mx_host_suffix: names(n),
      email: `jane@x${n}.example`,
      tld: ['com', 'net'],
      status: ['deliverable', 'risky'],
      estimate_below: 0.95,
      provider: 'google',
    }),
  ),
  'all match, and all have an exception': ruleSet((n) =>
    aRule(
      n,
      { mx_host_suffix: 'google.com', estimate_below: 1 },
      { domain_suffix: ['example.com', ...names(n)] },
    ),
  ),
  'all match with an estimate, and the last has no exception': ruleSet((n) =>
    aRule(n, { estimate_below: 0.9 + (n + 1) / 10_000 }, n === RULES - 1 ? null : { provider: 'google' }),
  ),
};

function median(rounds: number, verdicts: readonly Verdict[], decide: (about: Verdict) => unknown): number {
  const times = Array.from({ length: rounds }, () => {
    const startMs = performance.now();
    for (const about of verdicts) decide(about);
    return ((performance.now() - startMs) * 1_000) / verdicts.length;
  });
  return times.sort((a, b) => a - b)[rounds >> 1]!;
}

function measure(title: string, all: readonly Rule[], verdicts: readonly Verdict[]) {
  const startMs = performance.now();
  const compiled = new CompiledPolicy(all);
  const preparedMs = performance.now() - startMs;
  for (const about of verdicts)
    if (JSON.stringify(compiled.decide(about, NOW_MS)) !== JSON.stringify(naiveDecision(all, about, NOW_MS)))
      throw new Error(`${title}: another decision`);
  const us = median(ROUNDS.compiled, verdicts, (about) => compiled.decide(about, NOW_MS));
  const naive = median(ROUNDS.naive, verdicts, (about) => naiveDecision(all, about, NOW_MS));
  return {
    rules: title,
    'µs a verdict': us.toFixed(2),
    'one after the other': naive.toFixed(2),
    times: Math.round(naive / us),
    'prepared in ms': preparedMs.toFixed(2),
  };
}

const many = Array.from({ length: VERDICTS }, (_, n) => verdictOf(n));
const mixed = fc.sample(verdict, { numRuns: VERDICTS, seed: 1 });
const someRules = fc
  .sample(rule, { numRuns: RULES, seed: 1 })
  .map((one, n): Rule => ({ id: `r${n}`, ...one, when: { ...one.when, email: `jane@x${n}.example` } }));
console.table([
  ...Object.entries(SETS).map(([title, all]) => measure(title, all, many)),
  measure('rules and verdicts at random', someRules, mixed),
]);
