import { Injectable } from '@nestjs/common';
import { Clock } from '../../../../kernel/clock.js';
import { NotFound } from '../../../../kernel/errors.js';
import type { RowResult } from '../../../../kernel/list-files/list-entry.js';
import type { Principal } from '../../../../kernel/principal.js';
import { LeaseLost } from '../../../../kernel/queue/team-work.js';
import { UnitOfWork } from '../../../../kernel/unit-of-work.js';
import { BulkJobsService } from '../../bulk/jobs/bulk-jobs.service.js';
import { BulkResultsService } from '../../bulk/results/bulk-results.service.js';
import { AddressFactsService } from '../../../verification/verification/facts/address-facts.service.js';
import { asksForChange, isFromDnsAlone } from '../domain/pending-result.js';
import type { Schedule } from '../domain/schedule.js';
import type { AddressResult } from '../domain/address-result.js';
import { ScheduleMemberRepository } from '../domain/schedule-member.repository.js';
import { ScheduleRowRepository, type PendingResult } from '../domain/schedule-row.repository.js';
import type { LeasedRun, ScheduleRun } from '../domain/schedule-run.js';
import { ScheduleRunRepository } from '../domain/schedule-run.repository.js';
import { openSchedule, ScheduleRepository } from '../domain/schedule.repository.js';
import { SourceLimits } from '../domain/source-limits.js';
import { DomainProofsService } from './domain-proofs.service.js';
import { DAY_SECONDS } from '../../../../kernel/durations.js';

type Job = Awaited<ReturnType<BulkJobsService['get']>>;

const PAGE_ROWS = 500;
/** After the age at which an address is verified again: until the next run of a month, with its statuses to compare. */
const KEPT_DAYS = 35;

/** Records the results of the lists of runs, and stores those that must be written. */
@Injectable()
export class RunRecordingService {
  constructor(
    private readonly schedules: ScheduleRepository,
    private readonly runs: ScheduleRunRepository,
    private readonly members: ScheduleMemberRepository,
    private readonly rows: ScheduleRowRepository,
    private readonly proofs: DomainProofsService,
    private readonly limits: SourceLimits,
    private readonly jobs: BulkJobsService,
    private readonly bulkResults: BulkResultsService,
    private readonly addresses: AddressFactsService,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** @returns whether all are recorded; false: its turn has ended. @throws RunFailure, NotFound, LeaseLost */
  async record(leased: LeasedRun, caller: Principal, signal: AbortSignal): Promise<boolean> {
    const { run } = leased;
    if (!run.hasLeft) return true;
    const job = await this.jobs.get(caller, run.jobId ?? '');
    run.verified = job.addresses;
    return this.recordRows(leased, run, job, signal);
  }

  /**
   * Records what a failed run has left: its addresses are verified and charged, and must not be again. They are written
   * when this run finds them in its source.
   *
   * @returns as `record`. @throws RunFailure, LeaseLost
   */
  async recordLeft(
    leased: LeasedRun,
    { id, unrecordedRunId }: Schedule,
    caller: Principal,
    signal: AbortSignal,
  ): Promise<boolean> {
    if (unrecordedRunId === null) return true;
    const left = await this.runs.find(unrecordedRunId);
    const job = left && (await this.jobOf(left, caller));
    if (left !== null && job !== null && !(await this.recordRows(leased, left, job, signal))) return false;
    await this.work.run(async () => {
      const schedule = await this.schedules.findForUpdate(id);
      if (schedule === null || !(await this.runs.saveLeased(leased))) throw new LeaseLost();
      schedule.unrecordedRunId = null;
      await this.schedules.save(schedule);
    });
    return true;
  }

  /** null: it was deleted, with its results. */
  private async jobOf({ jobId }: ScheduleRun, caller: Principal): Promise<Job | null> {
    try {
      return await this.jobs.get(caller, jobId ?? '');
    } catch (error) {
      if (error instanceof NotFound) return null;
      throw error;
    }
  }

  /**
   * From the row after the last one that was recorded. Each page is recorded as the schedule is by then.
   *
   * @param run whose results they are.
   */
  private async recordRows(
    leased: LeasedRun,
    run: ScheduleRun,
    job: Job,
    signal: AbortSignal,
  ): Promise<boolean> {
    const startMs = this.clock.monotonicMs();
    for (let hasMore = true; hasMore;) {
      signal.throwIfAborted();
      if (this.clock.monotonicMs() - startMs > this.limits.turnMs) return false;
      const page = await this.bulkResults.page(job, { limit: PAGE_ROWS, after: run.position }, {});
      hasMore = page.next !== null;
      const { schedule } = await openSchedule(this.schedules, run.scheduleId);
      await this.recordPage(leased, run, page.items, { hasMore, job, schedule });
    }
    return true;
  }

  /** @throws LeaseLost */
  private recordPage(
    leased: LeasedRun,
    run: ScheduleRun,
    rows: readonly RowResult[],
    { hasMore, job, schedule }: { hasMore: boolean; job: Job; schedule: Schedule },
  ): Promise<void> {
    const maxAge = job.maxAge ?? schedule.maxAgeDays * DAY_SECONDS;
    const keptDays = Math.ceil(maxAge / DAY_SECONDS) + KEPT_DAYS;
    const results = rows.flatMap((row) => this.resultOf(row, job.createdAt, maxAge));
    const distinct = new Map(results.map(({ result }) => [result.addressKey, result]));
    return this.work.run(async () => {
      const recorded = await this.members.record(run.scheduleId, [...distinct.values()], keptDays);
      const proved = await this.proofs.record(run.scheduleId, rows, keptDays);
      run.record(recorded, rows.at(-1)?.index ?? run.position);
      run.isRecorded = !hasMore;
      // What another run has left is found again in the source.
      if (run === leased.run) {
        run.hasRows = true;
        await this.rows.addResults(run, pendingOf(schedule, results, proved));
      }
      if (!(await this.runs.saveLeased(leased))) throw new LeaseLost();
      if (run !== leased.run) await this.runs.save(run);
    });
  }

  /** The result of a bounce is as old as the bounce. It was asked for, and charged, with the list. */
  private resultOf(row: RowResult, askedAt: Date, maxAgeSeconds: number): RecordedRow[] {
    const { email, verdict } = row;
    if (verdict === null) return [];
    const { addressKey } = this.addresses.listKey(email);
    const { status, reason, score } = verdict;
    const isOld = askedAt.getTime() - verdict.verifiedAt.getTime() > maxAgeSeconds * 1_000;
    const verifiedAt = isOld ? askedAt : verdict.verifiedAt;
    return [{ row, result: { addressKey, status, reason, score, verifiedAt } }];
  }
}

interface RecordedRow {
  row: RowResult;
  result: AddressResult;
}

/** Those that ask for a change of a subscriber. @param proved domains that the DNS has found to have no mail before. */
function pendingOf(
  { source, onResult }: Schedule,
  results: readonly RecordedRow[],
  proved: ReadonlySet<string>,
): PendingResult[] {
  if (source.kind !== 'listmonk') return [];
  return results.flatMap(({ row: { email, ref, verdict }, result }) => {
    if (verdict === null || typeof ref !== 'string' || !asksForChange(onResult, result, undefined)) return [];
    const isPostponed =
      onResult === 'blocklist_undeliverable' && isFromDnsAlone(verdict) && !proved.has(verdict.domain ?? '');
    return { ...result, id: Number(ref), email, isPostponed };
  });
}
