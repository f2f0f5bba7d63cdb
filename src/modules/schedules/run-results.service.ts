import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { NotFound } from '../../kernel/errors.js';
import type { RowResult } from '../../kernel/list-files/list-entry.js';
import type { Principal } from '../../kernel/principal.js';
import { UnitOfWork } from '../../kernel/unit-of-work.js';
import { BulkJobsService } from '../bulk/jobs/bulk-jobs.service.js';
import { BulkResultsService } from '../bulk/results/bulk-results.service.js';
import { AddressFactsService } from '../verification/address-facts.service.js';
import { ResultWriter } from './domain/list-source.js';
import type { Schedule } from './domain/schedule.js';
import { ScheduleMemberRepository, type MemberStatus } from './domain/schedule-member.repository.js';
import { LeaseLost, type LeasedRun, type ScheduleRun } from './domain/schedule-run.js';
import { ScheduleRunRepository } from './domain/schedule-run.repository.js';
import { openSchedule, ScheduleRepository } from './domain/schedule.repository.js';

type Job = Awaited<ReturnType<BulkJobsService['get']>>;

const DAY_SECONDS = 86_400;
const PAGE_ROWS = 500;
/** After the age at which an address is verified again: until the next run of a month, with its statuses to compare. */
const KEPT_DAYS = 35;
/** A run that records for longer gives its place to other teams, and continues later. */
const TURN_MS = 10 * 60_000;

/** Records the results of runs, and writes them to the source. */
@Injectable()
export class RunResultsService {
  constructor(
    private readonly schedules: ScheduleRepository,
    private readonly runs: ScheduleRunRepository,
    private readonly members: ScheduleMemberRepository,
    private readonly writer: ResultWriter,
    private readonly jobs: BulkJobsService,
    private readonly bulkResults: BulkResultsService,
    private readonly addresses: AddressFactsService,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** @returns whether all are recorded; false: its turn has ended. @throws RunFailure, NotFound, LeaseLost */
  async record(leased: LeasedRun, caller: Principal, signal: AbortSignal): Promise<boolean> {
    const { run } = leased;
    const job = await this.jobs.get(caller, run.jobId ?? '');
    run.verified = job.addresses;
    return this.recordRows(leased, run, job, signal);
  }

  /**
   * Records what a failed run has left: its addresses are verified and charged, and must not be again.
   *
   * @returns as `record`. @throws RunFailure, LeaseLost
   */
  async recordLeft(
    leased: LeasedRun,
    { id, leftRunId }: Schedule,
    caller: Principal,
    signal: AbortSignal,
  ): Promise<boolean> {
    if (leftRunId === null) return true;
    const left = await this.runs.find(leftRunId);
    const job = left && (await this.jobOf(left, caller));
    if (left !== null && job !== null && !(await this.recordRows(leased, left, job, signal))) return false;
    await this.work.run(async () => {
      const schedule = await this.schedules.findForUpdate(id);
      if (schedule === null || !(await this.runs.saveLeased(leased, false))) throw new LeaseLost();
      schedule.leftRunId = null;
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
   * From the row after the last one that was recorded. What was written and not recorded is written again, which
   * changes nothing. Each page is written as the schedule is by then.
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
      if (this.clock.monotonicMs() - startMs > TURN_MS) return false;
      const after = { at: new Date(run.position), id: job.id };
      const page = await this.bulkResults.page(job, { limit: PAGE_ROWS, after }, {});
      hasMore = page.next !== null;
      if (page.items.length === 0) break;
      const { schedule, secret } = await openSchedule(this.schedules, run.scheduleId);
      const notWritten = await this.writer.write(schedule, secret, page.items, signal);
      await this.recordPage(leased, run, page.items, { notWritten, job, schedule });
    }
    return true;
  }

  /** @throws LeaseLost */
  private recordPage(
    leased: LeasedRun,
    run: ScheduleRun,
    rows: readonly RowResult[],
    { notWritten, job, schedule }: { notWritten: number; job: Job; schedule: Schedule },
  ): Promise<void> {
    const maxAge = job.maxAge ?? schedule.maxAgeDays * DAY_SECONDS;
    const members = new Map(rows.flatMap((row) => this.memberOf(row, job.createdAt, maxAge)));
    return this.work.run(async () => {
      const keptDays = Math.ceil(maxAge / DAY_SECONDS) + KEPT_DAYS;
      const recorded = await this.members.record(run.scheduleId, [...members.values()], keptDays);
      run.record({ ...recorded, notWritten }, rows.at(-1)?.index ?? run.position);
      if (!(await this.runs.saveLeased(leased, false))) throw new LeaseLost();
      if (run !== leased.run) await this.runs.save(run);
    });
  }

  /** The result of a bounce is as old as the bounce. It was asked for, and charged, with the list. */
  private memberOf(
    { email, verdict }: RowResult,
    askedAt: Date,
    maxAgeSeconds: number,
  ): [string, MemberStatus][] {
    if (verdict === null) return [];
    const { addressKey } = this.addresses.locate(email);
    const isOld = askedAt.getTime() - verdict.verifiedAt.getTime() > maxAgeSeconds * 1_000;
    const verifiedAt = isOld ? askedAt : verdict.verifiedAt;
    return [[addressKey, { addressKey, status: verdict.status, verifiedAt }]];
  }
}
