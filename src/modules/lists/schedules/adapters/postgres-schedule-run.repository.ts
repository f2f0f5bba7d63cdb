import { Injectable } from '@nestjs/common';
import type { QueryDeepPartialEntity } from 'typeorm';
import { Clock } from '../../../../kernel/clock.js';
import type { Page, PageRequest } from '../../../../kernel/page.js';
import type { TeamId } from '../../../../kernel/principal.js';
import type { Release } from '../../../../kernel/queue/team-work.js';
import { keysetPage } from '../../../../platform/database/transactions/keyset-page.js';
import {
  PostgresTeamWork,
  teamsOfFree,
} from '../../../../platform/database/transactions/postgres-team-work.js';
import { PostgresUnitOfWork } from '../../../../platform/database/transactions/postgres-unit-of-work.js';
import type { ScheduleId } from '../domain/schedule.js';
import { ScheduleRun, type LeasedRun } from '../domain/schedule-run.js';
import { ScheduleRunRepository, type RecallChange } from '../domain/schedule-run.repository.js';
import type { ScheduleRunRow } from './postgres-schedule-run.schema.js';

const WAITS = `state IN ('queued', 'writing')`;
/** States in which it has not ended; the condition of an index. */
const OPEN = `state IN ('queued', 'verifying', 'writing', 'needs_confirmation')`;
const AT_ONCE = 100;

const RECALL = `
  UPDATE schedule_runs SET lease = NULL, leased_until = '-infinity', is_stopped = is_stopped OR $3,
         place = CASE WHEN $2 THEN NULL ELSE place END
   WHERE schedule_id = $1 AND ${OPEN}`;

const ROWS = {
  table: 'schedule_runs',
  key: ['id'],
  leaseSeconds: 60,
  attempts: 'attempts',
  // The rows of a deleted schedule remain for a while.
  renewedIf: 'EXISTS (SELECT FROM schedules WHERE id = schedule_runs.schedule_id)',
  waitingTeams: teamsOfFree('schedule_runs', WAITS),
  claims: {
    isOpen: WAITS,
    waits: `(state = 'writing' OR NOT is_long OR $2)`,
    orderBy: 'created_at',
    // So that the sources of a team are not a load to others.
    perTeam: 1,
    sets: 'started_at = coalesce(started_at, $3)',
    columns: 'id',
  },
};

interface ClaimedRow {
  id: string;
  lease: string;
}

@Injectable()
export class PostgresScheduleRunRepository
  extends PostgresTeamWork<LeasedRun, ClaimedRow>
  implements ScheduleRunRepository
{
  constructor(
    work: PostgresUnitOfWork,
    private readonly clock: Clock,
  ) {
    super(work, ROWS);
  }

  async addUnlessOpen(run: ScheduleRun): Promise<ScheduleRun> {
    await this.work.manager.createQueryBuilder().insert().into(ScheduleRun).values(run).orIgnore().execute();
    const open = this.select()
      .where('run.scheduleId = :scheduleId', { scheduleId: run.scheduleId })
      .andWhere(`run.${OPEN}`);
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

  findForUpdate(id: string): Promise<ScheduleRun | null> {
    return this.select().where('run.id = :id', { id }).setLock('for_no_key_update').getOne();
  }

  findVerifyingForUpdate(jobId: string): Promise<ScheduleRun | null> {
    return this.select()
      .where(`run.jobId = :jobId AND run.state = 'verifying'`, { jobId })
      .setLock('for_no_key_update')
      .getOne();
  }

  override claim(team: TeamId): Promise<LeasedRun | null> {
    return this.claimWith(team, [true, this.clock.now()]);
  }

  claimShort(team: TeamId): Promise<LeasedRun | null> {
    return this.claimWith(team, [false, this.clock.now()]);
  }

  override async release(leased: LeasedRun, release: Release): Promise<void> {
    if (leased.run.isLong) await this.updateLeased(leased, 'is_long = true');
    await super.release(leased, release);
  }

  async recall(scheduleId: ScheduleId, { isReadAnew, isStopped }: RecallChange): Promise<void> {
    await this.work.manager.query(RECALL, [scheduleId, isReadAnew, isStopped]);
  }

  saveLeased(leased: LeasedRun): Promise<boolean> {
    return this.saveWith(leased, {});
  }

  saveAndEndLease(leased: LeasedRun): Promise<boolean> {
    return this.saveWith(leased, { lease: null, leasedUntil: () => `'-infinity'` });
  }

  async save({ id, ...row }: ScheduleRun): Promise<void> {
    await this.work.manager.update(ScheduleRun, { id }, row);
  }

  listUnanswered(now: Date): Promise<ScheduleRun[]> {
    return this.select()
      .where(`run.state = 'needs_confirmation' AND run.confirmBy <= :now`, { now })
      .limit(AT_ONCE)
      .getMany();
  }

  listEndedWithRows(): Promise<ScheduleRun[]> {
    return this.select()
      .where(`run.hasRows AND run.state IN ('completed', 'discarded', 'failed')`)
      .limit(AT_ONCE)
      .getMany();
  }

  async forgetRows(id: string): Promise<void> {
    await this.work.manager.update(ScheduleRun, { id }, { hasRows: false });
  }

  protected override keyOf({ run }: LeasedRun): readonly unknown[] {
    return [run.id];
  }

  protected override async unitOf({ id, lease }: ClaimedRow): Promise<LeasedRun> {
    return { run: await this.work.manager.findOneByOrFail(ScheduleRun, { id }), lease };
  }

  private async saveWith(
    { run, lease }: LeasedRun,
    ended: QueryDeepPartialEntity<ScheduleRunRow>,
  ): Promise<boolean> {
    const { id, ...row } = run;
    const { affected } = await this.work.manager.update<ScheduleRunRow>(
      ScheduleRun,
      { id, lease },
      { ...row, ...ended },
    );
    return affected === 1;
  }

  private select() {
    return this.work.manager.createQueryBuilder(ScheduleRun, 'run');
  }
}
