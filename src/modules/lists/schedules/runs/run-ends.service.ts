import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../../../kernel/audit-log.js';
import { Clock } from '../../../../kernel/clock.js';
import { Events } from '../../../../kernel/events.js';
import type { Failure } from '../domain/failure.js';
import type { Schedule } from '../domain/schedule.js';
import type { ScheduleRun } from '../domain/schedule-run.js';
import { ScheduleRepository } from '../domain/schedule.repository.js';
import { ScheduleMailsService } from './schedule-mails.service.js';

/** What the end of a run means for its schedule. */
@Injectable()
export class RunEndsService {
  constructor(
    private readonly schedules: ScheduleRepository,
    private readonly events: Events,
    private readonly audit: AuditLog,
    private readonly mails: ScheduleMailsService,
    private readonly clock: Clock,
  ) {}

  /** Ends the run within the open unit of work. The caller saves it. */
  async complete(run: ScheduleRun): Promise<void> {
    run.complete(this.clock.now());
    await this.publish(run);
  }

  /** As `complete`; a schedule whose runs fail is disabled. */
  async fail(run: ScheduleRun, failure: Failure): Promise<void> {
    run.fail(failure, this.clock.now());
    await this.publish(run);
  }

  /** As `complete`, of a run whose results are not written. */
  async discard(run: ScheduleRun): Promise<void> {
    run.discard(this.clock.now());
    await this.publish(run);
  }

  private async publish(run: ScheduleRun): Promise<void> {
    const schedule = await this.schedules.findForUpdate(run.scheduleId);
    if (schedule === null) return;
    const { id, teamId } = schedule;
    const isDisabled = schedule.runEnded(run);
    await this.schedules.save(schedule);
    const summary = run.summary(schedule);
    if (run.state === 'failed') {
      await this.events.publish({ type: 'schedule.failed', teamId, data: { ...summary, status: 'failed' } });
      await this.mailFailure(schedule, run, isDisabled);
    } else {
      const status = run.state === 'discarded' ? 'discarded' : 'completed';
      await this.events.publish({ type: 'schedule.completed', teamId, data: { ...summary, status } });
    }
    if (!isDisabled) return;
    const details = { reason: run.failure };
    await this.audit.record({
      action: 'schedule.disabled',
      teamId,
      target: { type: 'schedule', id },
      details,
    });
  }

  /** That somebody has disabled the schedule is no failure. */
  private async mailFailure(schedule: Schedule, run: ScheduleRun, isDisabled: boolean): Promise<void> {
    const { failure: code, failureDetail: detail } = run;
    if (code === null || code === 'disabled') return;
    await this.mails.failed(schedule, run, { code, detail }, isDisabled);
  }
}
