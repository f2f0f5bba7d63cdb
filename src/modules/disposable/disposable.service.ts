import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../kernel/audit-log.js';
import { Clock } from '../../kernel/clock.js';
import { domainAndParents } from '../../kernel/domain-name.js';
import type { Principal, TeamId } from '../../kernel/principal.js';
import { LimitReached } from '../../kernel/limit-reached.js';
import type { Page, PageRequest } from '../../kernel/page.js';
import { both, then, type Soon } from '../../kernel/soon.js';
import { UnitOfWork } from '../../kernel/unit-of-work.js';
import { AlreadyOverridden } from './disposable.errors.js';
import { DisposableOverride, operatorsOverride, type OverrideVerdict } from './domain/disposable-override.js';
import {
  DisposableOverrideRepository,
  type OverridesInForce,
} from './domain/disposable-override.repository.js';

export interface OverrideRequest {
  /** A-label, lower case. */
  domain: string;
  verdict: OverrideVerdict;
  note: string | null;
}

/** The override that a domain met. */
export interface OverrideMatch {
  verdict: OverrideVerdict;
  /** The domain that was overridden: the one that was asked about, or one above it. */
  pattern: string;
  source: 'team' | 'operator';
}

/** They are read whole, again and again. Adders at the same moment may get a few past it. */
const MOST_OVERRIDES = 10_000;

@Injectable()
export class DisposableService {
  constructor(
    private readonly overrides: DisposableOverrideRepository,
    private readonly work: UnitOfWork,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  list(caller: Principal, request: PageRequest): Promise<Page<DisposableOverride>> {
    return this.overrides.page(caller.teamId, request);
  }

  /** How many of the team's overrides the operator has not taken over for all. */
  countPending(caller: Principal): Promise<number> {
    return this.overrides.countPending(caller.teamId);
  }

  /** In force for the team at once. @throws AlreadyOverridden, LimitReached */
  add(caller: Principal, { domain, verdict, note }: OverrideRequest): Promise<DisposableOverride> {
    const { teamId, userId } = caller;
    return this.work.run(async () => {
      const override = new DisposableOverride(teamId, domain, verdict, note, userId, this.clock.now());
      if (!(await this.overrides.add(override))) throw new AlreadyOverridden();
      if ((await this.overrides.count(teamId)) > MOST_OVERRIDES)
        throw new LimitReached('disposable_overrides', MOST_OVERRIDES);
      await this.record('disposable.added', override);
      return override;
    });
  }

  /** @param domain A-label, lower case; perhaps never overridden. */
  remove({ teamId }: Principal, domain: string): Promise<void> {
    return this.work.run(async () => {
      const removed = await this.overrides.remove(teamId, domain);
      if (removed !== null) await this.record('disposable.removed', removed);
    });
  }

  /**
   * What is to be believed of a domain, whatever the lists say: the team's word goes before the
   * operator's, and of each the longest entry that covers the domain.
   *
   * @param domain A-label, lower case, no final dot.
   */
  override(teamId: TeamId, domain: string): Soon<OverrideMatch | null> {
    const inForce = both(this.overrides.inForce(teamId), this.overrides.inForce(null));
    return then(
      inForce,
      ([teams, operators]) => longest(domain, teams, 'team') ?? longest(domain, operators, 'operator'),
    );
  }

  /** What waits for the operator, whoever's it is, the oldest first. */
  pending(): Promise<DisposableOverride[]> {
    return this.overrides.pending();
  }

  /** The operator's own word, in force for every team; replaces an earlier one about the domain. */
  async addForOperator(request: OverrideRequest): Promise<void> {
    await this.overrides.putOperators(operatorsOverride(request, this.clock.now()));
  }

  /** Puts a pending override in force for every team. @returns it; null: none with this id is pending. */
  merge(id: string): Promise<DisposableOverride | null> {
    return this.work.run(async () => {
      const now = this.clock.now();
      const override = await this.overrides.markMerged(id, now);
      if (override === null) return null;
      await this.overrides.putOperators(operatorsOverride(override, now));
      await this.record('disposable.merged', override);
      return override;
    });
  }

  /** Leaves a pending override to the team that made it. @returns it; null: none with this id is pending. */
  reject(id: string): Promise<DisposableOverride | null> {
    return this.work.run(async () => {
      const override = await this.overrides.markRejected(id, this.clock.now());
      if (override !== null) await this.record('disposable.rejected', override);
      return override;
    });
  }

  /** What the operator says about a domain or one above it, now in force for every team. */
  async operators(domain: string): Promise<OverrideMatch | null> {
    return longest(domain, await this.overrides.inForce(null), 'operator');
  }

  /** Of a team's override; what nobody's team has asked for is in nobody's log. */
  private async record(action: string, { id, teamId, domain, verdict }: DisposableOverride): Promise<void> {
    if (teamId === null) return;
    const target = { type: 'disposable_override', id };
    await this.audit.record({ action, teamId, target, details: { domain, verdict } });
  }
}

function longest(
  domain: string,
  overrides: OverridesInForce,
  source: OverrideMatch['source'],
): OverrideMatch | null {
  for (const pattern of domainAndParents(domain)) {
    const verdict = overrides.get(pattern);
    if (verdict !== undefined) return { verdict, pattern, source };
  }
  return null;
}
