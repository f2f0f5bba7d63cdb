import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../kernel/audit-log.js';
import { Clock } from '../../kernel/clock.js';
import { DomainError, NotFound } from '../../kernel/errors.js';
import { Events } from '../../kernel/events.js';
import type { Principal, TeamId } from '../../kernel/principal.js';
import { UnitOfWork } from '../../kernel/unit-of-work.js';
import { TeamsService } from '../teams/teams.service.js';
import { FAILURES, RunFailure, type FailureCode } from './domain/failure.js';
import type { Schedule } from './domain/schedule.js';
import { LeaseLost, ScheduleRun, type LeasedRun } from './domain/schedule-run.js';
import { ScheduleRunRepository } from './domain/schedule-run.repository.js';
import { openSchedule, ScheduleRepository } from './domain/schedule.repository.js';
import { SchedulesQueue } from './domain/schedules-queue.js';
import { RunReadingService } from './run-reading.service.js';
import { RunResultsService } from './run-results.service.js';

const RENEW_INTERVAL_MS = 20_000;
/** Attempts after temporary failures; results are waiting for the later ones. */
const MAX_ATTEMPTS = { queued: 3, writing: 6 };
const FIRST_PAUSE_SECONDS = 5;
/** Other lists of the team or of all teams are in the way. */
const BUSY = ['queue_full', 'rate_limited'];
/** Seconds. The source is read again after each pause, so that a pause is as long as all before it together. */
const BUSY_PAUSE = { min: 60, max: 3_600 };

/** Starts the runs of schedules, and brings them to their end. A process that dies is replaced when its lease expires. */
@Injectable()
export class ScheduleRunsService {
  constructor(
    private readonly schedules: ScheduleRepository,
    private readonly runs: ScheduleRunRepository,
    private readonly reading: RunReadingService,
    private readonly results: RunResultsService,
    private readonly teams: TeamsService,
    private readonly queue: SchedulesQueue,
    private readonly events: Events,
    private readonly audit: AuditLog,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Adds a run for each schedule that is due; one for all times that have passed. @returns how many. */
  startDue(): Promise<number> {
    return this.work.run(async () => {
      const now = this.clock.now();
      const due = await this.schedules.listDueForUpdate(now);
      for (const schedule of due) {
        await this.start(schedule);
        schedule.planNext(now);
        await this.schedules.save(schedule);
      }
      return due.length;
    });
  }

  /** Adds a run, within the open unit of work. @returns the run, or the one that has not ended. */
  async start(schedule: Schedule): Promise<ScheduleRun> {
    const run = await this.runs.addUnlessOpen(ScheduleRun.of(schedule, this.clock.now()));
    this.queue.enqueueAfterCommit(schedule.teamId);
    return run;
  }

  /** Enqueues jobs of teams with runs whose job or worker was lost. @returns how many teams. */
  async enqueueMissing(): Promise<number> {
    const teams = await this.runs.listWaitingTeams();
    await this.queue.enqueue(teams);
    return teams.length;
  }

  /** Claims the next run of a team. @returns null when none can be worked on now. */
  claim(team: TeamId): Promise<LeasedRun | null> {
    return this.work.run(() => this.runs.claim(team, this.clock.now()));
  }

  /** @param signal stops it; another process continues. */
  async advance(leased: LeasedRun, signal: AbortSignal): Promise<void> {
    const renew = () => void this.runs.renew(leased).catch(() => undefined);
    const timer = setInterval(renew, RENEW_INTERVAL_MS);
    try {
      await this.advanceOnce(leased, signal);
    } catch (error) {
      if (error instanceof LeaseLost) return;
      await this.retryOrFail(leased, error, signal);
    } finally {
      clearInterval(timer);
    }
  }

  /** The list of a run has ended. */
  async jobEnded(jobId: string, status: 'completed' | 'failed' | 'canceled'): Promise<void> {
    await this.work.run(async () => {
      const run = await this.runs.findVerifyingForUpdate(jobId);
      if (run === null) return;
      if (status === 'completed') {
        run.state = 'writing';
        await this.runs.save(run);
        this.queue.enqueueAfterCommit(run.teamId);
        return;
      }
      await this.publishEnd(run, status === 'failed' ? 'job_failed' : 'job_canceled');
      await this.runs.save(run);
    });
  }

  private async advanceOnce(leased: LeasedRun, signal: AbortSignal): Promise<void> {
    const { run } = leased;
    if (run.attempts > MAX_ATTEMPTS.writing) throw new RunFailure('interrupted');
    const { schedule, secret } = await openSchedule(this.schedules, run.scheduleId);
    const caller = await this.callerOf(schedule);
    const isRead = run.state === 'queued';
    const isRecorded = isRead
      ? await this.results.recordLeft(leased, schedule, caller, signal)
      : await this.results.record(leased, caller, signal);
    // Other teams have their turn.
    if (!isRecorded) return this.runs.release(leased, 0, false);
    if (isRead && (await this.reading.read(leased, schedule, secret, caller, signal))) return;
    await this.end(leased, null);
  }

  private async retryOrFail(leased: LeasedRun, error: unknown, signal: AbortSignal): Promise<void> {
    const { run } = leased;
    if (signal.aborted) return this.runs.release(leased, 0, false);
    if (error instanceof DomainError && BUSY.includes(error.definition.code))
      return this.runs.release(leased, this.busyPauseOf(run), false);
    const failure = failureOf(error);
    const max = run.state === 'queued' ? MAX_ATTEMPTS.queued : MAX_ATTEMPTS.writing;
    const isFinal = failure !== null && !failure.isTemporary;
    if (!isFinal && run.attempts < max)
      await this.runs.release(leased, FIRST_PAUSE_SECONDS * 2 ** (run.attempts - 1), true);
    else await this.end(leased, failure?.code ?? 'interrupted');
    // Unexpected: it is logged.
    if (failure === null) throw error;
  }

  private busyPauseOf({ startedAt }: ScheduleRun): number {
    const now = this.clock.now();
    const waitedSeconds = (now.getTime() - (startedAt ?? now).getTime()) / 1_000;
    return Math.min(Math.max(waitedSeconds, BUSY_PAUSE.min), BUSY_PAUSE.max);
  }

  private async end(leased: LeasedRun, failure: FailureCode | null): Promise<void> {
    await this.work
      .run(async () => {
        await this.publishEnd(leased.run, failure);
        if (!(await this.runs.saveLeased(leased, true))) throw new LeaseLost();
      })
      .catch((error: unknown) => {
        if (!(error instanceof LeaseLost)) throw error;
      });
  }

  /** Ends the run, and disables a schedule whose runs fail, within the open unit of work. */
  private async publishEnd(run: ScheduleRun, failure: FailureCode | null): Promise<void> {
    run.end(failure, this.clock.now());
    const schedule = await this.schedules.findForUpdate(run.scheduleId);
    if (schedule === null) return;
    const { id, teamId } = schedule;
    const isDisabled = schedule.runEnded(run);
    await this.schedules.save(schedule);
    const data = run.summary(failure === null ? 'completed' : 'failed', schedule);
    await this.events.publish({
      type: `schedule.${data.status}`,
      teamId,
      data,
    });
    if (!isDisabled) return;
    const details = { reason: failure };
    await this.audit.record({
      action: 'schedule.disabled',
      teamId,
      target: { type: 'schedule', id },
      details,
    });
  }

  /** The team as the caller of a list. @throws LeaseLost when it was deleted. */
  private async callerOf({ id, teamId }: Schedule): Promise<Principal> {
    const access = await this.teams.access(teamId, null);
    if (access === null) throw new LeaseLost();
    const unlimited = { expiresAt: null, allowedCidrs: null, publishable: null, userId: null };
    return { ...access, ...unlimited, keyId: id, mode: 'live', teamId, scopes: ['lists'] };
  }
}

/** null: unexpected. */
function failureOf(error: unknown): RunFailure | null {
  if (error instanceof RunFailure) return error;
  if (error instanceof NotFound) return new RunFailure('job_canceled');
  if (!(error instanceof DomainError)) return null;
  const { code } = error.definition;
  return new RunFailure(Object.hasOwn(FAILURES, code) ? (code as FailureCode) : 'malformed_list');
}
