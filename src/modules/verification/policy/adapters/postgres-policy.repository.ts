import { Injectable } from '@nestjs/common';
import { Clock } from '../../../../kernel/clock.js';
import type { TeamId } from '../../../../kernel/principal.js';
import { PostgresUnitOfWork } from '../../../../platform/database/transactions/postgres-unit-of-work.js';
import { TtlCache } from '../../../../platform/memory/ttl-cache.js';
import { Policy } from '../domain/policy.js';
import { PolicyRepository } from '../domain/policy.repository.js';
import { PolicyRowSchema } from './postgres-policy.schema.js';

const MAX_TEAMS = 500;

@Injectable()
export class PostgresPolicyRepository extends PolicyRepository {
  private readonly cache: TtlCache<Policy>;

  constructor(
    private readonly work: PostgresUnitOfWork,
    clock: Clock,
  ) {
    super();
    this.cache = new TtlCache(clock, MAX_TEAMS);
  }

  find(team: TeamId): Promise<Policy> {
    return this.cache.get(team, async () => {
      const known = this.cache.peek(team);
      const current = await this.findCurrent(team);
      // The object of the same version has been compiled.
      return known?.version === current.version ? known : current;
    });
  }

  async findCurrent(team: TeamId): Promise<Policy> {
    const row = await this.work.manager.findOneBy(PolicyRowSchema, { teamId: team });
    return row === null
      ? Policy.none(team)
      : new Policy(team, row.version, row.rules, row.updatedAt, row.updatedBy);
  }

  /** By an advisory lock, because the first change has no row to lock. */
  async findForUpdate(team: TeamId): Promise<Policy> {
    const lock = 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))';
    await this.work.manager.query(lock, [`policy ${team}`]);
    return this.findCurrent(team);
  }

  async save({ teamId, version, rules, updatedAt, updatedBy }: Policy): Promise<void> {
    const row = { teamId, version, rules: [...rules], updatedAt: updatedAt ?? undefined, updatedBy };
    await this.work.manager.save(PolicyRowSchema, row);
    this.work.afterCommit(() => this.cache.delete(teamId));
  }
}
