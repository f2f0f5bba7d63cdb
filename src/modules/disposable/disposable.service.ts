import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../kernel/audit-log.js';
import { Clock } from '../../kernel/clock.js';
import { domainAndParents } from '../../kernel/text/domain-name.js';
import type { Principal, TeamId } from '../../kernel/principal.js';
import { LimitReached } from '../../kernel/errors.js';
import type { Page, PageRequest } from '../../kernel/page.js';
import { UnitOfWork } from '../../kernel/unit-of-work.js';
import { AlreadyOverridden } from './disposable.errors.js';
import {
  DisposableOverride,
  operatorsOverride,
  type OverrideInput,
  type OverrideVerdict,
} from './domain/disposable-override.js';
import {
  DisposableOverrideRepository,
  type EffectiveOverrides,
} from './domain/disposable-override.repository.js';

export interface OverrideMatch {
  verdict: OverrideVerdict;
  pattern: string;
  source: 'team' | 'operator';
}

/**
 * The effective override of a domain: the team's takes precedence over the operator's, and of each the
 * longest entry that includes the domain.
 *
 * @param domain A-label, lower case, no final dot.
 */
export type OverrideMatcher = (domain: string) => OverrideMatch | null;

/** Overrides are read as a whole. Concurrent calls may exceed it slightly. */
const MAX_OVERRIDES = 10_000;

@Injectable()
export class DisposableService {
  constructor(
    private readonly overrides: DisposableOverrideRepository,
    private readonly work: UnitOfWork,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  list(caller: Principal, request: PageRequest): Promise<Page<DisposableOverride>> {
    return this.overrides.list(caller.teamId, request);
  }

  /** The number of the team's overrides that the operator has not merged. */
  countPending(caller: Principal): Promise<number> {
    return this.overrides.countPending(caller.teamId);
  }

  /** Takes effect for the team at once. @throws AlreadyOverridden, LimitReached */
  add(caller: Principal, { domain, verdict, note }: OverrideInput): Promise<DisposableOverride> {
    const { teamId, userId } = caller;
    return this.work.run(async () => {
      const override = new DisposableOverride(teamId, domain, verdict, note, userId, this.clock.now());
      if (!(await this.overrides.add(override))) throw new AlreadyOverridden();
      if ((await this.overrides.count(teamId)) > MAX_OVERRIDES)
        throw new LimitReached('disposable_overrides', MAX_OVERRIDES);
      await this.record('disposable.added', override);
      return override;
    });
  }

  /** @param domain A-label, lower case; need not be overridden. */
  remove({ teamId }: Principal, domain: string): Promise<void> {
    return this.work.run(async () => {
      const removed = await this.overrides.delete(teamId, domain);
      if (removed !== null) await this.record('disposable.removed', removed);
    });
  }

  /** The overrides that are in effect for the team, for looking up one or more domains. */
  async matcher(teamId: TeamId): Promise<OverrideMatcher> {
    const teams = await this.overrides.effective(teamId);
    const operators = await this.overrides.effective(null);
    return (domain) => longest(domain, teams, 'team') ?? longest(domain, operators, 'operator');
  }

  pending(): Promise<DisposableOverride[]> {
    return this.overrides.listPending();
  }

  /** Adds an override of the operator, in effect for every team; replaces an earlier one of the domain. */
  async addForOperator(request: OverrideInput): Promise<void> {
    await this.overrides.saveOperators(operatorsOverride(request, this.clock.now()));
  }

  /**
   * Puts a pending override into effect for every team. @returns it; null: there is no pending one with
   * this id.
   */
  merge(id: string): Promise<DisposableOverride | null> {
    return this.work.run(async () => {
      const now = this.clock.now();
      const override = await this.overrides.decide(id, { mergedAt: now });
      if (override === null) return null;
      await this.overrides.saveOperators(operatorsOverride(override, now));
      await this.record('disposable.merged', override);
      return override;
    });
  }

  /** Keeps a pending override for its team only. @returns it; null: there is no pending one with this id. */
  reject(id: string): Promise<DisposableOverride | null> {
    return this.work.run(async () => {
      const override = await this.overrides.decide(id, { rejectedAt: this.clock.now() });
      if (override !== null) await this.record('disposable.rejected', override);
      return override;
    });
  }

  /** The operator's override of a domain or a parent. */
  async operators(domain: string): Promise<OverrideMatch | null> {
    return longest(domain, await this.overrides.effective(null), 'operator');
  }

  /** Only overrides of teams are logged; the audit log belongs to a team. */
  private async record(action: string, { id, teamId, domain, verdict }: DisposableOverride): Promise<void> {
    if (teamId === null) return;
    const target = { type: 'disposable_override', id };
    await this.audit.record({ action, teamId, target, details: { domain, verdict } });
  }
}

function longest(
  domain: string,
  overrides: EffectiveOverrides,
  source: OverrideMatch['source'],
): OverrideMatch | null {
  if (overrides.size === 0) return null;
  for (const pattern of domainAndParents(domain)) {
    const verdict = overrides.get(pattern);
    if (verdict !== undefined) return { verdict, pattern, source };
  }
  return null;
}
