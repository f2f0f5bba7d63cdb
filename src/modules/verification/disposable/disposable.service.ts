import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { DisposableOverride as OverrideMatch } from '../../../engine/lists/domain-list.js';
import { AuditLog } from '../../../kernel/audit-log.js';
import { Clock } from '../../../kernel/clock.js';
import { BatchedWriter } from '../../../kernel/concurrency/batched-writer.js';
import { domainAndParents } from '../../../kernel/text/domain-name.js';
import type { Principal, TeamId } from '../../../kernel/principal.js';
import { LimitReached, NotFound } from '../../../kernel/errors.js';
import type { Page, PageRequest } from '../../../kernel/page.js';
import { UnitOfWork } from '../../../kernel/unit-of-work.js';
import { TeamsService } from '../../identity/teams/team/teams.service.js';
import { AlreadyOverridden } from './disposable.errors.js';
import {
  DisposableOverride,
  operatorsOverride,
  type DisposableCandidate,
  type OverrideInput,
  type OverrideStatus,
} from './domain/disposable-override.js';
import {
  DisposableOverrideRepository,
  type EffectiveOverrides,
} from './domain/disposable-override.repository.js';

export type { DisposableOverride };

type Decision = Exclude<OverrideStatus, 'pending'>;

/** Overrides are read as a whole. Concurrent calls may exceed it slightly. */
const MAX_OVERRIDES = 10_000;
const COLLECT_MS = 2_000;
/** Candidates that are collected between two writes; further ones are dropped. */
const MAX_COLLECTED = 1_000;
/** Maximum number of pending candidates, so that a flood of names cannot fill the table. */
const MAX_PENDING = 10_000;

@Injectable()
export class DisposableService implements OnApplicationShutdown {
  /** Domains that look disposable by their mail servers: in memory, so that verification does not wait. */
  private readonly proposed = new BatchedWriter<DisposableCandidate>({
    // Those that fail are recorded again when they occur again.
    write: (found) => this.overrides.addCandidates(found, MAX_PENDING).catch(() => undefined),
    idOf: ({ domain }) => domain,
    merge: (earlier, later) => ({ ...later, times: earlier.times + later.times }),
    collectMs: COLLECT_MS,
  });

  constructor(
    private readonly overrides: DisposableOverrideRepository,
    private readonly work: UnitOfWork,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
    private readonly teams: TeamsService,
  ) {}

  /** Stores the proposed domains. */
  async onApplicationShutdown(): Promise<void> {
    await this.proposed.close();
  }

  /** Proposes a domain to the operator as disposable; it has no effect on verdicts. */
  propose(domain: string, mxHost: string): void {
    if (this.proposed.waiting >= MAX_COLLECTED) return;
    void this.proposed.add('', { domain, mxHost, times: 1, lastSeenAt: this.clock.now() });
  }

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

  /**
   * Finds the effective override of a domain (A-label, lower case, no final dot): the team's takes precedence over
   * the operator's, and of each the longest entry that includes the domain.
   */
  async matcher(teamId: TeamId): Promise<(domain: string) => OverrideMatch | null> {
    const teams = await this.overrides.listEffective(teamId);
    const operators = await this.overrides.listEffective(null);
    return (domain) => longest(domain, teams, 'team') ?? longest(domain, operators, 'operator');
  }

  pending(): Promise<DisposableOverride[]> {
    return this.overrides.listPending();
  }

  /** Adds an override of the operator, in effect for every team; replaces an earlier one of the domain. */
  async addForOperator(request: OverrideInput): Promise<void> {
    await this.overrides.save(operatorsOverride(request, this.clock.now()));
  }

  /** Pending overrides of all teams and candidates of the engine. @throws RoleRequired unless the caller is the operator */
  async candidates(caller: Principal, request: PageRequest): Promise<Page<DisposableOverride>> {
    await this.teams.requireOperator(caller);
    return this.overrides.pagePending(request);
  }

  /** @throws NotFound, RoleRequired unless the caller is the operator */
  async decide(caller: Principal, id: string, decision: Decision): Promise<DisposableOverride> {
    await this.teams.requireOperator(caller);
    const override = await (decision === 'merged' ? this.merge(id, caller) : this.reject(id, caller));
    if (override === null) throw new NotFound('No override with this id is pending.');
    return override;
  }

  /**
   * Puts a pending override into effect for every team. @returns it; null: there is no pending one with
   * this id.
   *
   * @param by null: a command of the operator.
   */
  merge(id: string, by: Principal | null = null): Promise<DisposableOverride | null> {
    return this.work.run(async () => {
      const now = this.clock.now();
      const override = await this.overrides.markDecided(id, { mergedAt: now });
      if (override === null) return null;
      await this.overrides.save(operatorsOverride(override, now));
      await this.recordDecision('disposable.merged', override, by);
      return override;
    });
  }

  /** Keeps a pending override for its team only. @returns it; null: there is no pending one with this id. */
  reject(id: string, by: Principal | null = null): Promise<DisposableOverride | null> {
    return this.work.run(async () => {
      const override = await this.overrides.markDecided(id, { rejectedAt: this.clock.now() });
      if (override !== null) await this.recordDecision('disposable.rejected', override, by);
      return override;
    });
  }

  /** The operator's override of a domain or a parent. */
  async operators(domain: string): Promise<OverrideMatch | null> {
    return longest(domain, await this.overrides.listEffective(null), 'operator');
  }

  /** In the log of the team, which does not name the operator, and in that of the operator. */
  private async recordDecision(
    action: string,
    override: DisposableOverride,
    by: Principal | null,
  ): Promise<void> {
    const entry = entryOf(action, override);
    const { teamId } = override;
    if (teamId !== null && teamId !== by?.teamId)
      await this.audit.record({ ...entry, teamId, isByOperator: true });
    if (by !== null) await this.audit.record({ ...entry, teamId: by.teamId });
  }

  /** Only overrides of teams are logged; the audit log belongs to a team. */
  private async record(action: string, override: DisposableOverride): Promise<void> {
    const { teamId } = override;
    if (teamId !== null) await this.audit.record({ ...entryOf(action, override), teamId });
  }
}

function entryOf(action: string, { id, domain, verdict }: DisposableOverride) {
  return { action, target: { type: 'disposable_override', id }, details: { domain, verdict } };
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
