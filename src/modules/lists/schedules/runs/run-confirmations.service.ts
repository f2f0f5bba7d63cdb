import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../../../kernel/audit-log.js';
import { Clock } from '../../../../kernel/clock.js';
import { NotFound } from '../../../../kernel/errors.js';
import { Events } from '../../../../kernel/events.js';
import type { Principal } from '../../../../kernel/principal.js';
import { LeaseLost } from '../../../../kernel/queue/team-work.js';
import { UnitOfWork } from '../../../../kernel/unit-of-work.js';
import type { Reason } from '../../../../kernel/verdict.js';
import type { LeasedRun, ScheduleRun } from '../domain/schedule-run.js';
import { ScheduleRunRepository } from '../domain/schedule-run.repository.js';
import { ScheduleRepository } from '../domain/schedule.repository.js';
import { NoConfirmationNeeded } from '../domain/schedules.errors.js';
import { SchedulesQueue } from '../domain/schedules-queue.js';
import { RunEndsService } from './run-ends.service.js';
import { ScheduleMailsService } from './schedule-mails.service.js';

/** Asks a person before a run blocklists many subscribers, and takes the answer. */
@Injectable()
export class RunConfirmationsService {
  constructor(
    private readonly schedules: ScheduleRepository,
    private readonly runs: ScheduleRunRepository,
    private readonly ends: RunEndsService,
    private readonly queue: SchedulesQueue,
    private readonly mails: ScheduleMailsService,
    private readonly events: Events,
    private readonly audit: AuditLog,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** @param counts of the subscribers that the run would blocklist. @throws LeaseLost */
  async ask(leased: LeasedRun, counts: ReadonlyMap<Reason, number>): Promise<void> {
    const { run } = leased;
    await this.work.run(async () => {
      const schedule = await this.schedules.findForUpdate(run.scheduleId);
      const confirmation = run.askForConfirmation(counts, this.clock.now());
      if (schedule === null || !(await this.runs.saveAndEndLease(leased))) throw new LeaseLost();
      await this.events.publish({
        type: 'schedule.needs_confirmation',
        teamId: run.teamId,
        data: {
          ...run.summary(schedule),
          status: 'needs_confirmation',
          confirmation: { ...confirmation, confirm_by: run.confirmBy!.toISOString() },
        },
      });
      await this.mails.needsConfirmation(schedule, run);
    });
  }

  /**
   * What the run would do is written now. A second confirmation changes nothing.
   *
   * @throws NotFound, NoConfirmationNeeded
   */
  confirm(caller: Principal, scheduleId: string, runId: string): Promise<ScheduleRun> {
    return this.answer(caller, scheduleId, runId, async (run) => {
      if (run.permit === 'confirmed') return;
      if (run.state !== 'needs_confirmation') throw new NoConfirmationNeeded(run.state);
      run.confirm();
      await this.runs.save(run);
      this.queue.enqueueAfterCommit(run.teamId);
      await this.answered('schedule.run_confirmed', run);
    });
  }

  /**
   * Nothing of the run is written. A second call changes nothing.
   *
   * @throws NotFound, NoConfirmationNeeded
   */
  discard(caller: Principal, scheduleId: string, runId: string): Promise<ScheduleRun> {
    return this.answer(caller, scheduleId, runId, async (run) => {
      if (run.state === 'discarded') return;
      if (run.state !== 'needs_confirmation') throw new NoConfirmationNeeded(run.state);
      await this.discardRun(run);
    });
  }

  /** Discards runs that nobody has answered. @returns how many. */
  async discardUnanswered(): Promise<number> {
    const unanswered = await this.runs.listUnanswered(this.clock.now());
    for (const { id, scheduleId } of unanswered)
      await this.work.run(async () => {
        await this.schedules.findForUpdate(scheduleId);
        const run = await this.runs.findForUpdate(id);
        if (run?.state === 'needs_confirmation') await this.discardRun(run);
      });
    return unanswered.length;
  }

  private async discardRun(run: ScheduleRun): Promise<void> {
    await this.ends.discard(run);
    await this.runs.save(run);
    await this.answered('schedule.run_discarded', run);
  }

  private answer(
    { teamId }: Principal,
    scheduleId: string,
    runId: string,
    decide: (run: ScheduleRun) => Promise<void>,
  ): Promise<ScheduleRun> {
    return this.work.run(async () => {
      const schedule = await this.schedules.findForUpdate(scheduleId);
      if (schedule === null || schedule.teamId !== teamId) throw new NotFound('There is no such schedule.');
      const run = await this.runs.findForUpdate(runId);
      if (run?.scheduleId !== schedule.id) throw new NotFound('There is no such run.');
      await decide(run);
      return run;
    });
  }

  private async answered(action: string, run: ScheduleRun): Promise<void> {
    await this.mails.cancel(run);
    await this.audit.record({
      action,
      teamId: run.teamId,
      target: { type: 'schedule', id: run.scheduleId },
      details: { run_id: run.id, subscribers: run.confirmation?.subscribers ?? 0 },
    });
  }
}
