import { IsNull } from 'typeorm';
import type { Clock } from '../../../kernel/clock.js';
import type { TeamId } from '../../../kernel/language.js';
import { pageOf, type Page, type PageRequest } from '../../../kernel/page.js';
import type { PostgresUnitOfWork } from '../../../platform/database/postgres-unit-of-work.js';
import { Remembered } from '../../../platform/memory/remembered.js';
import { DisposableOverride, type OverrideVerdict } from '../domain/disposable-override.js';
import {
  DisposableOverrideRepository,
  type OverridesInForce,
} from '../domain/disposable-override.repository.js';

/** Teams whose overrides a process keeps in mind; those of the operator are asked for with all of theirs. */
const MOST_TEAMS = 500;
const OPERATOR = 'operator';

export class PostgresDisposableOverrideRepository extends DisposableOverrideRepository {
  private readonly remembered: Remembered<OverridesInForce>;

  constructor(
    private readonly work: PostgresUnitOfWork,
    clock: Clock,
  ) {
    super();
    this.remembered = new Remembered(clock, MOST_TEAMS + 1);
  }

  async add(override: DisposableOverride): Promise<boolean> {
    const inserted = await this.work.manager
      .createQueryBuilder()
      .insert()
      .into(DisposableOverride)
      .values(override)
      .orIgnore()
      .returning('id')
      .execute();
    this.forget(override.teamId);
    return (inserted.raw as unknown[]).length > 0;
  }

  async putOperators({ id, domain, verdict, note, createdAt, mergedAt }: DisposableOverride): Promise<void> {
    await this.work.manager.query(
      `INSERT INTO disposable_overrides (id, domain, verdict, note, created_at, merged_at)
       VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (domain) WHERE team_id IS NULL DO UPDATE
          SET verdict = excluded.verdict, note = excluded.note, merged_at = excluded.merged_at`,
      [id, domain, verdict, note, createdAt, mergedAt],
    );
    this.forget(null);
  }

  async remove(teamId: TeamId, domain: string): Promise<DisposableOverride | null> {
    const override = await this.work.manager.findOneBy(DisposableOverride, { teamId, domain });
    if (override === null) return null;
    const { affected } = await this.work.manager.delete(DisposableOverride, { id: override.id });
    this.forget(teamId);
    return affected === 1 ? override : null;
  }

  async page(teamId: TeamId, request: PageRequest): Promise<Page<DisposableOverride>> {
    const query = this.work.manager
      .createQueryBuilder(DisposableOverride, 'override')
      .where('override.teamId = :teamId', { teamId })
      .orderBy({ 'override.createdAt': 'DESC', 'override.id': 'DESC' })
      .limit(request.limit + 1);
    if (request.after !== null)
      query.andWhere('(override.createdAt, override.id) < (:at, :id)', { ...request.after });
    return pageOf(await query.getMany(), request, ({ createdAt, id }) => ({ at: createdAt, id }));
  }

  count(teamId: TeamId): Promise<number> {
    return this.work.manager.countBy(DisposableOverride, { teamId });
  }

  countPending(teamId: TeamId): Promise<number> {
    return this.work.manager.countBy(DisposableOverride, { teamId, mergedAt: IsNull() });
  }

  countProposed(): Promise<number> {
    return this.work.manager.countBy(DisposableOverride, { teamId: IsNull(), mergedAt: IsNull() });
  }

  pending(): Promise<DisposableOverride[]> {
    return this.work.manager.find(DisposableOverride, {
      where: { mergedAt: IsNull() },
      order: { createdAt: 'ASC', id: 'ASC' },
    });
  }

  async markMerged(id: string, now: Date): Promise<DisposableOverride | null> {
    const { affected } = await this.work.manager.update(
      DisposableOverride,
      { id, mergedAt: IsNull() },
      { mergedAt: now },
    );
    return affected === 1 ? this.work.manager.findOneBy(DisposableOverride, { id }) : null;
  }

  inForce(teamId: TeamId | null): Promise<OverridesInForce> {
    return this.remembered.get(teamId ?? OPERATOR, async () => {
      const whose = teamId === null ? 'team_id IS NULL AND merged_at IS NOT NULL' : 'team_id = $1';
      const rows = await this.work.manager.query<{ domain: string; verdict: OverrideVerdict }[]>(
        `SELECT domain, verdict FROM disposable_overrides WHERE ${whose}`,
        teamId === null ? [] : [teamId],
      );
      return new Map(rows.map(({ domain, verdict }) => [domain, verdict]));
    });
  }

  private forget(teamId: TeamId | null): void {
    this.work.afterCommit(() => this.remembered.forget(teamId ?? OPERATOR));
  }
}
