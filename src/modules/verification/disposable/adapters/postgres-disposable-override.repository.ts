import { Injectable } from '@nestjs/common';
import { IsNull, Not } from 'typeorm';
import { Clock } from '../../../../kernel/clock.js';
import type { TeamId } from '../../../../kernel/principal.js';
import type { Page, PageRequest } from '../../../../kernel/page.js';
import { insertNew } from '../../../../platform/database/transactions/insert-new.js';
import { keysetPage } from '../../../../platform/database/transactions/keyset-page.js';
import { PostgresUnitOfWork } from '../../../../platform/database/transactions/postgres-unit-of-work.js';
import { newId } from '../../../../kernel/ids.js';
import { TtlCache } from '../../../../platform/memory/ttl-cache.js';
import {
  DisposableOverride,
  type DisposableCandidate,
  type OverrideVerdict,
} from '../domain/disposable-override.js';
import {
  DisposableOverrideRepository,
  type EffectiveOverrides,
} from '../domain/disposable-override.repository.js';

/** Teams whose overrides a process caches; the overrides of the operator are one more entry. */
const MAX_TEAMS = 500;
const OPERATOR = 'operator';
const WAITS = { mergedAt: IsNull(), rejectedAt: IsNull() };

@Injectable()
export class PostgresDisposableOverrideRepository extends DisposableOverrideRepository {
  private readonly cache: TtlCache<EffectiveOverrides>;

  constructor(
    private readonly work: PostgresUnitOfWork,
    clock: Clock,
  ) {
    super();
    this.cache = new TtlCache(clock, MAX_TEAMS + 1);
  }

  async add(override: DisposableOverride): Promise<boolean> {
    this.evict(override.teamId);
    return insertNew(this.work.manager, override);
  }

  async save({ id, domain, verdict, note, createdAt, mergedAt }: DisposableOverride): Promise<void> {
    await this.work.manager.query(
      `INSERT INTO disposable_overrides (id, domain, verdict, note, created_at, merged_at)
       VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (domain) WHERE team_id IS NULL DO UPDATE
          SET verdict = excluded.verdict, note = excluded.note,
              merged_at = excluded.merged_at, rejected_at = NULL`,
      [id, domain, verdict, note, createdAt, mergedAt],
    );
    this.evict(null);
  }

  async delete(teamId: TeamId, domain: string): Promise<DisposableOverride | null> {
    const override = await this.work.manager.findOneBy(DisposableOverride, { teamId, domain });
    if (override === null) return null;
    const { affected } = await this.work.manager.delete(DisposableOverride, { id: override.id });
    this.evict(teamId);
    return affected === 1 ? override : null;
  }

  list(teamId: TeamId, request: PageRequest): Promise<Page<DisposableOverride>> {
    return keysetPage(this.select().where({ teamId }), request);
  }

  count(teamId: TeamId): Promise<number> {
    return this.work.manager.countBy(DisposableOverride, { teamId });
  }

  countPending(teamId: TeamId): Promise<number> {
    return this.work.manager.countBy(DisposableOverride, { teamId, ...WAITS });
  }

  listPending(): Promise<DisposableOverride[]> {
    return this.work.manager.find(DisposableOverride, {
      where: WAITS,
      order: { createdAt: 'ASC', id: 'ASC' },
    });
  }

  pagePending(request: PageRequest): Promise<Page<DisposableOverride>> {
    return keysetPage(this.select().where(WAITS), request);
  }

  async markDecided(
    id: string,
    decision: { mergedAt: Date } | { rejectedAt: Date },
  ): Promise<DisposableOverride | null> {
    const { affected } = await this.work.manager.update(DisposableOverride, { id, ...WAITS }, decision);
    return affected === 1 ? this.work.manager.findOneBy(DisposableOverride, { id }) : null;
  }

  async addCandidates(candidates: readonly DisposableCandidate[], most: number): Promise<void> {
    // In one order, so that two processes that record at once wait for each other and never deadlock.
    const rows = [...candidates].sort((a, b) => (a.domain < b.domain ? -1 : 1));
    await this.work.manager.query(
      `INSERT INTO disposable_overrides AS known
              (id, domain, verdict, mx_host, times_seen, created_at, last_seen_at)
       SELECT id, domain, 'disposable', mx_host, times, seen_at, seen_at
         FROM unnest($1::text[], $2::text[], $3::text[], $4::int[], $5::timestamptz[])
                AS candidate (id, domain, mx_host, times, seen_at)
        WHERE (SELECT count(*) FROM disposable_overrides
                WHERE team_id IS NULL AND merged_at IS NULL AND rejected_at IS NULL) < $6
       ON CONFLICT (domain) WHERE team_id IS NULL DO UPDATE
          SET mx_host = excluded.mx_host, times_seen = known.times_seen + excluded.times_seen,
              last_seen_at = excluded.last_seen_at
        WHERE known.merged_at IS NULL AND known.rejected_at IS NULL`,
      [
        rows.map(() => newId('dsp')),
        rows.map(({ domain }) => domain),
        rows.map(({ mxHost }) => mxHost),
        rows.map(({ times }) => times),
        rows.map(({ lastSeenAt }) => lastSeenAt),
        most,
      ],
    );
  }

  listEffective(teamId: TeamId | null): Promise<EffectiveOverrides> {
    return this.cache.get(teamId ?? OPERATOR, async () => {
      // Without entities: every verification needs this map, and there may be thousands of rows.
      const rows = await this.select()
        .select('override.domain', 'domain')
        .addSelect('override.verdict', 'verdict')
        .where(teamId === null ? { teamId: IsNull(), mergedAt: Not(IsNull()) } : { teamId })
        .getRawMany<{ domain: string; verdict: OverrideVerdict }>();
      return new Map(rows.map(({ domain, verdict }) => [domain, verdict]));
    });
  }

  private select() {
    return this.work.manager.createQueryBuilder(DisposableOverride, 'override');
  }

  private evict(teamId: TeamId | null): void {
    this.work.afterCommit(() => this.cache.delete(teamId ?? OPERATOR));
  }
}
