import { Injectable } from '@nestjs/common';
import type { ListId } from '../../../../kernel/ids.js';
import { MIN_RESULT_DAYS } from '../../../../kernel/retention.js';
import type { TeamId } from '../../../../kernel/principal.js';
import type { Page, PageRequest } from '../../../../kernel/page.js';
import { keysetPage } from '../../../../platform/database/transactions/keyset-page.js';
import { PostgresUnitOfWork } from '../../../../platform/database/transactions/postgres-unit-of-work.js';
import { BulkJob, JOB_STATUSES, MAX_HOLD_MS } from '../domain/bulk-job.js';
import {
  BulkJobRepository,
  type JobFilter,
  type JobScope,
  type StoredList,
} from '../domain/bulk-job.repository.js';

const OPEN = `state IN ('queued', 'running')`;
const ENDED = `state IN ('completed', 'canceled', 'failed')`;

@Injectable()
export class PostgresBulkJobRepository extends BulkJobRepository {
  constructor(private readonly work: PostgresUnitOfWork) {
    super();
  }

  async add(job: BulkJob): Promise<void> {
    await this.work.manager.insert(BulkJob, job);
    const named = { where: { id: job.id }, select: { listId: true } } as const;
    const { listId } = await this.work.manager.findOneOrFail(BulkJob, named);
    Object.assign(job, { listId });
  }

  async save(job: BulkJob): Promise<void> {
    await this.work.manager.update(BulkJob, { id: job.id }, job);
  }

  findForUpdate(listId: ListId): Promise<BulkJob | null> {
    return this.work.manager.findOne(BulkJob, { where: { listId }, lock: { mode: 'pessimistic_write' } });
  }

  findByList(listId: ListId): Promise<BulkJob | null> {
    return this.work.manager.findOneBy(BulkJob, { listId });
  }

  async markStarted(listId: ListId, now: Date): Promise<void> {
    await this.work.manager.update(
      BulkJob,
      { listId, state: 'queued' },
      { state: 'running', startedAt: now },
    );
  }

  find({ teamId, mode }: JobScope, id: string): Promise<BulkJob | null> {
    return this.work.manager
      .createQueryBuilder(BulkJob, 'job')
      .where({ id, teamId, mode })
      .andWhere('job.state IN (:...visible)', { visible: JOB_STATUSES })
      .getOne();
  }

  list(
    { teamId, mode }: JobScope,
    { status, name, retentionDays, now }: JobFilter,
    request: PageRequest,
  ): Promise<Page<BulkJob>> {
    const query = this.work.manager
      .createQueryBuilder(BulkJob, 'job')
      .where({ teamId, mode })
      .andWhere('job.state IN (:...visible)', { visible: status === undefined ? JOB_STATUSES : [status] });
    // Those that have expired are deleted by the next sweep.
    query.andWhere(
      `(job.finishedAt IS NULL OR job.finishedAt + interval '24 hours'
          * greatest(${MIN_RESULT_DAYS}, least(job.retentionDays, :retentionDays)) > :now)`,
      { retentionDays, now },
    );
    query.andWhere(`(job.state <> 'held' OR job.touchedAt > :heldSince)`, {
      heldSince: new Date(now.getTime() - MAX_HOLD_MS),
    });
    // Reads the team's jobs in the order of the page, of which there are few beside rows.
    if (name !== undefined) query.andWhere('job.name ~ :pattern', { pattern: patternOf(name) });
    return keysetPage(query, request);
  }

  async lockCreation({ teamId, mode }: JobScope): Promise<void> {
    await this.work.manager.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `bulk ${teamId} ${mode}`,
    ]);
  }

  async countOpen({ teamId, mode }: JobScope): Promise<{ receiving: number; all: number }> {
    const [row] = await this.work.manager.query<{ receiving: number; all: number }[]>(
      `SELECT count(*) FILTER (WHERE state = 'receiving')::integer AS receiving, count(*)::integer AS all
         FROM bulk_jobs WHERE team_id = $1 AND mode = $2 AND (state = 'receiving' OR ${OPEN})`,
      [teamId, mode],
    );
    return row ?? { receiving: 0, all: 0 };
  }

  countHeld({ teamId, mode }: JobScope, now: Date): Promise<{ lists: number; rows: number }> {
    // Of those that are kept after their deletion, nothing but the job is left.
    return this.countLists(
      'sum(total)',
      `charge IS NULL AND (state = 'held' OR state = 'erasing' AND touched_at <= $3)`,
      [teamId, mode, now],
    );
  }

  countUnverified({ teamId, mode }: JobScope, since: Date): Promise<{ lists: number; rows: number }> {
    return this.countLists(
      // Rows without an address are processed from the start.
      'sum(total - processed + empty)',
      `state IN ('held', 'canceled', 'erasing') AND processed < total AND created_at >= $3`,
      [teamId, mode, since],
    );
  }

  async countWaiting(teamId: TeamId): Promise<{ own: number; all: number }> {
    const [row] = await this.work.manager.query<{ own: number; all: number }[]>(
      `SELECT coalesce(sum(total - processed) FILTER (WHERE team_id = $1), 0)::float8 AS own,
              coalesce(sum(total - processed), 0)::float8 AS all
         FROM bulk_jobs WHERE ${OPEN}`,
      [teamId],
    );
    return row ?? { own: 0, all: 0 };
  }

  async countSince({ teamId, mode }: JobScope, since: Date): Promise<number> {
    const [row] = await this.work.manager.query<{ count: number }[]>(
      `SELECT count(*)::integer AS count FROM bulk_jobs WHERE team_id = $1 AND mode = $2 AND created_at >= $3
          AND (addresses > 0 OR state = 'receiving')`,
      [teamId, mode, since],
    );
    return row?.count ?? 0;
  }

  listUntouchedSince(state: 'receiving' | 'erasing', before: Date): Promise<ListId[]> {
    return this.listsWhere('state = $1 AND touched_at < $2', [state, before]);
  }

  async listTeams(after: TeamId | null, limit: number): Promise<TeamId[]> {
    const rows = await this.work.manager.query<{ teamId: TeamId }[]>(
      'SELECT DISTINCT team_id AS "teamId" FROM bulk_jobs WHERE team_id > $1 ORDER BY team_id LIMIT $2',
      [after ?? '', limit],
    );
    return rows.map(({ teamId }) => teamId);
  }

  /** Adds 24 hours per day, because the length of an interval of days depends on the session's time zone. */
  listExpired(now: Date, retentionDays: ReadonlyMap<TeamId, number | null>): Promise<ListId[]> {
    return this.listsWhere(
      `${ENDED} AND finished_at <= $1 AND EXISTS (
         SELECT FROM unnest($2::text[], $3::integer[]) AS team (id, days)
          WHERE team.id = team_id AND finished_at + interval '24 hours' * greatest(${MIN_RESULT_DAYS}, least(retention_days, days)) <= $1)`,
      [now, [...retentionDays.keys()], [...retentionDays.values()]],
    );
  }

  listOnlyDeferredSince(before: Date): Promise<ListId[]> {
    return this.listsWhere(`${OPEN} AND chunks_left = 0 AND touched_at <= $1`, [before]);
  }

  listByTeam(teamId: TeamId): Promise<ListId[]> {
    return this.listsWhere(`team_id = $1 AND state NOT IN ('receiving', 'erasing')`, [teamId]);
  }

  listAll(after: ListId | null, limit: number): Promise<StoredList[]> {
    return this.work.manager.query<StoredList[]>(
      `SELECT list AS "listId", id AS "jobId", unique_by AS "uniqueBy", ${ENDED} AS "isEnded"
         FROM bulk_jobs WHERE list > $1 AND state <> 'erasing' ORDER BY list LIMIT $2`,
      [after ?? '0', limit],
    );
  }

  async delete(listId: ListId): Promise<void> {
    await this.work.manager.delete(BulkJob, { listId });
  }

  /** Of the team $1 and the mode $2. */
  private async countLists(
    sum: string,
    condition: string,
    values: unknown[],
  ): Promise<{ lists: number; rows: number }> {
    const [row] = await this.work.manager.query<{ lists: number; rows: number }[]>(
      `SELECT count(*)::integer AS lists, coalesce(${sum}, 0)::float8 AS rows FROM bulk_jobs
        WHERE team_id = $1 AND mode = $2 AND ${condition}`,
      values,
    );
    return row ?? { lists: 0, rows: 0 };
  }

  private async listsWhere(condition: string, values: unknown[]): Promise<ListId[]> {
    const rows = await this.work.manager.query<{ listId: ListId }[]>(
      `SELECT list AS "listId" FROM bulk_jobs WHERE ${condition} ORDER BY list LIMIT 1000`,
      values,
    );
    return rows.map(({ listId }) => listId);
  }
}

/** A regular expression for texts that contain this one. `ILIKE` folds only letters that the collation knows. */
function patternOf(text: string): string {
  return [...text]
    .map((character) => {
      const [lower, upper] = [character.toLowerCase(), character.toUpperCase()];
      // Only letters differ, of which none means anything in a pattern. Some have a form of two letters.
      if (lower !== upper)
        return lower.length + upper.length > 2 ? `(?:${lower}|${upper})` : `[${lower}${upper}]`;
      return character.replace(/[\\^$.*+?()[\]{}|]/, '\\$&');
    })
    .join('');
}
