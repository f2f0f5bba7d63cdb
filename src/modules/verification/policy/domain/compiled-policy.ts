import type { Verdict } from '../../../../kernel/verdict.js';
import type { Rule } from './rule.js';
import { RuleMatcher, type Judged } from './rule-matcher.js';

type Decision = Verdict['policy'];

interface CompiledRule {
  decision: Decision;
  isAccept: boolean;
  expiresAtMs: number;
}

/** The rules of a team, prepared for many verdicts. */
export class CompiledPolicy {
  private readonly rules: readonly CompiledRule[];
  private readonly when: RuleMatcher;
  private readonly unless: RuleMatcher;

  constructor(rules: readonly Rule[]) {
    this.rules = rules.map(({ id, decision, expires_at }) => ({
      decision: { decision, rule: `team:${id}` },
      isAccept: decision === 'accept',
      expiresAtMs: expires_at === null ? Infinity : Date.parse(expires_at),
    }));
    this.when = new RuleMatcher(rules.map(({ when }) => when));
    this.unless = new RuleMatcher(rules.map(({ unless }) => unless));
  }

  /**
   * The decision about an address. The blocklist precedes the rules, of which the first that matches is final; where
   * none does, the decision stays as it was without them, with complaints and look-alikes.
   *
   * @param verdict with the decision without rules.
   */
  decide(verdict: Judged & { policy: Decision }, nowMs: number): Decision {
    if (this.rules.length === 0 || verdict.reason === 'blocked_domain') return verdict.policy;
    const matching = this.when.match(verdict);
    if (matching.next(0) === -1) return verdict.policy;
    matching.removeAll(this.unless.match(verdict));
    for (let n = matching.next(0); n !== -1; n = matching.next(n + 1)) {
      const { decision, isAccept, expiresAtMs } = this.rules[n]!;
      // What is no address can be accepted by no rule.
      if (nowMs < expiresAtMs && !(isAccept && verdict.reason === 'invalid_syntax')) return decision;
    }
    return verdict.policy;
  }
}
