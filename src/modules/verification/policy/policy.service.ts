import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../../kernel/audit-log.js';
import { Clock } from '../../../kernel/clock.js';
import { InvalidRequest } from '../../../kernel/errors.js';
import type { Principal, TeamId } from '../../../kernel/principal.js';
import { UnitOfWork } from '../../../kernel/unit-of-work.js';
import type { Verdict } from '../../../kernel/verdict.js';
import { Policy } from './domain/policy.js';
import { changeBetween } from './domain/policy-change.js';
import { PolicyRepository } from './domain/policy.repository.js';
import type { Rule } from './domain/rule.js';
import type { Judged } from './domain/rule-matcher.js';
import { PolicyChanged } from './policy.errors.js';

export { CompiledPolicy } from './domain/compiled-policy.js';
export type { Policy } from './domain/policy.js';
export type { Rule } from './domain/rule.js';

/** The verdict with the decision of the team. */
export type Decide = (verdict: Verdict) => Verdict;

/** What is known of a domain, without an address. */
export type JudgedDomain = Pick<Judged, 'domain' | 'dns' | 'checks'>;

/** A policy that is read can be sent again: a body may have 100,000 bytes. */
const MAX_BYTES = 90_000;
const TOO_LARGE = `The rules may have at most ${MAX_BYTES.toLocaleString('en')} bytes of JSON.`;

@Injectable()
export class PolicyService {
  constructor(
    private readonly policies: PolicyRepository,
    private readonly audit: AuditLog,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  get(teamId: TeamId): Promise<Policy> {
    return this.policies.findCurrent(teamId);
  }

  /**
   * @param isExpected whether the version that is replaced is the one that the client has read.
   * @throws PolicyChanged, InvalidRequest
   */
  replace(
    { teamId, userId }: Principal,
    rules: readonly Rule[],
    isExpected: (version: number) => boolean,
  ): Promise<Policy> {
    if (Buffer.byteLength(JSON.stringify(rules)) > MAX_BYTES)
      throw new InvalidRequest([{ pointer: '/rules', code: 'too_big', message: TOO_LARGE }]);
    return this.work.run(async () => {
      const before = await this.policies.findForUpdate(teamId);
      if (!isExpected(before.version)) throw new PolicyChanged();
      const details = changeBetween(before.rules, rules);
      if (details === null) return before;
      const after = new Policy(teamId, before.version + 1, rules, this.clock.now(), userId);
      await this.policies.save(after);
      const target = { type: 'policy', id: teamId };
      await this.audit.record({ action: 'policy.changed', teamId, target, details: { ...details } });
      return after;
    });
  }

  /**
   * Verdicts are stored with the decision without rules, and this is applied whenever one is read: a change of the
   * rules has its effect on all of them within 5 s.
   */
  async decider(teamId: TeamId): Promise<Decide> {
    const { compiled, rules } = await this.policies.find(teamId);
    if (rules.length === 0) return (verdict) => verdict;
    const nowMs = this.clock.now().getTime();
    return (verdict) => {
      const policy = compiled.decide(verdict, nowMs);
      return policy === verdict.policy ? verdict : { ...verdict, policy };
    };
  }

  /**
   * The rule that rejects an address of which only the domain is known; null: none does. What a rule requires of an
   * address, or of its verdict, is not known, so that such a condition does not match.
   */
  async rejectionOf(teamId: TeamId, about: JudgedDomain): Promise<string | null> {
    const { compiled } = await this.policies.find(teamId);
    const unknown = { normalizedEmail: null, reason: null, status: null, estimate: null };
    const undecided = { decision: 'review', rule: null } as const;
    const judged = { ...about, ...unknown, policy: undecided };
    const { decision, rule } = compiled.decide(judged, this.clock.now().getTime());
    return decision === 'reject' ? rule : null;
  }
}
