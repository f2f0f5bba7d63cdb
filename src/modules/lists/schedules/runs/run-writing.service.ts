import { Injectable } from '@nestjs/common';
import { Clock } from '../../../../kernel/clock.js';
import { LeaseLost } from '../../../../kernel/queue/team-work.js';
import type { Reason } from '../../../../kernel/verdict.js';
import { UnitOfWork } from '../../../../kernel/unit-of-work.js';
import { ListSource } from '../domain/list-source.js';
import type { Schedule, SourceSecret } from '../domain/schedule.js';
import { ScheduleRowRepository, type PendingResult, type Stored } from '../domain/schedule-row.repository.js';
import type { LeasedRun } from '../domain/schedule-run.js';
import { ScheduleRunRepository } from '../domain/schedule-run.repository.js';
import { openSchedule, ScheduleRepository } from '../domain/schedule.repository.js';
import { SourceLimits } from '../domain/source-limits.js';
import { RunConfirmationsService } from './run-confirmations.service.js';

const PAGE_ROWS = 500;
const NOTHING = { written: 0, notWritten: 0 };

/** `asking`: it needs a confirmation first; `yielded`: its turn has ended. */
export type Writing = 'written' | 'asking' | 'yielded';

/** Writes stored results to the source of a run. */
@Injectable()
export class RunWritingService {
  constructor(
    private readonly schedules: ScheduleRepository,
    private readonly runs: ScheduleRunRepository,
    private readonly rows: ScheduleRowRepository,
    private readonly source: ListSource,
    private readonly confirmations: RunConfirmationsService,
    private readonly limits: SourceLimits,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Each page is written as the schedule is by then, and deleted. What was written and not deleted is written again,
   * which changes nothing.
   *
   * @throws RunFailure, LeaseLost
   */
  async write(leased: LeasedRun, signal: AbortSignal): Promise<Writing> {
    const { run } = leased;
    const startMs = this.clock.monotonicMs();
    for (;;) {
      signal.throwIfAborted();
      if (this.clock.monotonicMs() - startMs > this.limits.turnMs) return 'yielded';
      const { schedule, secret } = await openSchedule(this.schedules, run.scheduleId);
      if (run.isStopped || schedule.source.kind !== 'listmonk' || schedule.onResult === 'none')
        return 'written';
      if (!(await this.decide(leased, schedule))) return 'asking';
      const page = await this.rows.listResults(run, PAGE_ROWS);
      if (page.length === 0) return 'written';
      await this.writePage(leased, { schedule, secret }, page, signal);
    }
  }

  /** @returns false: it needs a confirmation. @throws LeaseLost */
  private async decide(leased: LeasedRun, schedule: Schedule): Promise<boolean> {
    const { run } = leased;
    if (schedule.onResult !== 'blocklist_undeliverable' || run.permit !== null) return true;
    const counts = await this.rows.countUndeliverable(run);
    if (!schedule.allowsToBlocklist(sumOf(counts), run.rows)) {
      await this.confirmations.ask(leased, counts);
      return false;
    }
    run.permit = 'within';
    if (!(await this.runs.saveLeased(leased))) throw new LeaseLost();
    return true;
  }

  private async writePage(
    leased: LeasedRun,
    { schedule, secret }: { schedule: Schedule; secret: SourceSecret },
    page: readonly Stored<PendingResult>[],
    signal: AbortSignal,
  ): Promise<void> {
    const { run } = leased;
    const isBlocklist = schedule.onResult === 'blocklist_undeliverable';
    const asked = isBlocklist ? page.filter(({ status }) => status === 'undeliverable') : page;
    const isHeld = ({ isPostponed }: PendingResult) =>
      isBlocklist && isPostponed && run.permit !== 'confirmed';
    const due = asked.filter((row) => !isHeld(row));
    const counts = due.length === 0 ? NOTHING : await this.source.write(schedule, secret, due, signal);
    run.wrote(counts, asked.length - due.length);
    await this.work.run(async () => {
      if (!(await this.runs.saveLeased(leased))) throw new LeaseLost();
      await this.rows.delete(
        run,
        page.map(({ index }) => index),
      );
    });
  }
}

function sumOf(counts: ReadonlyMap<Reason, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}
