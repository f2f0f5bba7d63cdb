import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import type { Page, PageRequest } from '../../../kernel/page.js';
import type { TeamId } from '../../../kernel/principal.js';
import { FREE, HELD, leasedFor, nextFree } from '../../../platform/database/transactions/claims.js';
import { keysetPage } from '../../../platform/database/transactions/keyset-page.js';
import { PostgresUnitOfWork } from '../../../platform/database/transactions/postgres-unit-of-work.js';
import type { ScheduleId } from '../domain/schedule.js';
import { ScheduleRun, type LeasedRun } from '../domain/schedule-run.js';
import { ScheduleRunRepository } from '../domain/schedule-run.repository.js';
import type { ScheduleRunRow } from './postgres-schedule-run.schema.js';

/** A lease that is not renewed expires. */
const LEASED_UNTIL = leasedFor(60);
/** Teams that one sweep enqueues jobs for. */
const ENQUEUED_AT_ONCE = 1_000;

const WAITS = `state IN ('queued', 'writing')`;

/** In random order: the teams that are left out have their turn in one of the next sweeps. */
const WAITING_TEAMS = `
  SELECT team_id AS "teamId" FROM schedule_runs WHERE ${WAITS} AND ${FREE}
   GROUP BY team_id ORDER BY random() LIMIT ${ENQUEUED_AT_ONCE}`;

/** A team has one run at a time in work, so that its sources are not a load to others. */
const CLAIM = `
  UPDATE schedule_runs SET attempts = attempts + 1, started_at = coalesce(started_at, $3),
         lease = $2, leased_until = ${LEASED_UNTIL}
   WHERE id = (${nextFree('schedule_runs', 'id', `team_id = $1 AND ${WAITS}`, 'created_at')})
     AND NOT EXISTS (SELECT FROM schedule_runs WHERE team_id = $1 AND ${WAITS} AND ${HELD})
  RETURNING id`;

/** SQL where leases are claimed with `SKIP LOCKED` and end by the database's clock. */
@Injectable()
export class PostgresScheduleRunRepository extends ScheduleRunRepository {
  constructor(private readonly work: PostgresUnitOfWork) {
    super();
  }

  async addUnlessOpen(run: ScheduleRun): Promise<ScheduleRun> {
    await this.work.manager.createQueryBuilder().insert().into(ScheduleRun).values(run).orIgnore().execute();
    const open = this.select()
      .where('run.scheduleId = :scheduleId', { scheduleId: run.scheduleId })
      .andWhere(`run.state IN ('queued', 'verifying', 'writing')`);
    return open.getOneOrFail();
  }

  find(id: string): Promise<ScheduleRun | null> {
    return this.work.manager.findOneBy(ScheduleRun, { id });
  }

  list(scheduleId: ScheduleId, page: PageRequest): Promise<Page<ScheduleRun>> {
    return keysetPage(this.select().where('run.scheduleId = :scheduleId', { scheduleId }), page);
  }

  async latest(scheduleIds: readonly ScheduleId[]): Promise<ReadonlyMap<ScheduleId, ScheduleRun>> {
    const runs = await this.select()
      .distinctOn(['run.scheduleId'])
      .where('run.scheduleId = ANY (:scheduleIds)', { scheduleIds })
      .orderBy({ 'run.scheduleId': 'ASC', 'run.createdAt': 'DESC', 'run.id': 'DESC' })
      .getMany();
    return new Map(runs.map((run) => [run.scheduleId, run]));
  }

  findVerifyingForUpdate(jobId: string): Promise<ScheduleRun | null> {
    return this.select()
      .where(`run.jobId = :jobId AND run.state = 'verifying'`, { jobId })
      .setLock('for_no_key_update')
      .getOne();
  }

  async listWaitingTeams(): Promise<TeamId[]> {
    const teams = await this.work.manager.query<{ teamId: TeamId }[]>(WAITING_TEAMS);
    return teams.map(({ teamId }) => teamId);
  }

  async claim(team: TeamId, now: Date): Promise<LeasedRun | null> {
    const { manager } = this.work;
    await manager.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`schedule runs ${team}`]);
    const lease = randomUUID();
    const [[claimed]] = await manager.query<[{ id: string }[], number]>(CLAIM, [team, lease, now]);
    if (claimed === undefined) return null;
    return { run: await manager.findOneByOrFail(ScheduleRun, { id: claimed.id }), lease };
  }

  async renew({ run, lease }: LeasedRun): Promise<void> {
    await this.work.manager.query(
      `UPDATE schedule_runs SET leased_until = ${LEASED_UNTIL} WHERE id = $1 AND lease = $2`,
      [run.id, lease],
    );
  }

  async release({ run, lease }: LeasedRun, pauseSeconds: number, counts: boolean): Promise<void> {
    await this.work.manager.query(
      `UPDATE schedule_runs SET lease = NULL, leased_until = now() + $3 * interval '1 second',
              attempts = attempts - $4::integer WHERE id = $1 AND lease = $2`,
      [run.id, lease, pauseSeconds, counts ? 0 : 1],
    );
  }

  async saveLeased({ run, lease }: LeasedRun, isLast: boolean): Promise<boolean> {
    const { id, ...row } = run;
    const released = isLast ? { lease: null, leasedUntil: () => `'-infinity'` } : {};
    const { affected } = await this.work.manager.update<ScheduleRunRow>(
      ScheduleRun,
      { id, lease },
      {
        ...row,
        ...released,
      },
    );
    return affected === 1;
  }

  async save({ id, ...row }: ScheduleRun): Promise<void> {
    await this.work.manager.update(ScheduleRun, { id }, row);
  }

  private select() {
    return this.work.manager.createQueryBuilder(ScheduleRun, 'run');
  }
}
