import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { DomainError, NotFound } from '../../../kernel/errors.js';
import type { Principal, TeamId } from '../../../kernel/principal.js';
import {
  GOES_ON,
  LeaseLost,
  UnitDeleted,
  type Release,
  type TeamWorker,
} from '../../../kernel/queue/team-work.js';
import { UnitOfWork } from '../../../kernel/unit-of-work.js';
import { TeamsService } from '../../identity/teams/team/teams.service.js';
import { TiersService } from '../../identity/tiers/tiers.service.js';
import { FAILURES, RunFailure, type Failure, type FailureCode } from './domain/failure.js';
import type { Schedule } from './domain/schedule.js';
import { ScheduleRowRepository } from './domain/schedule-row.repository.js';
import { ScheduleRun, type LeasedRun } from './domain/schedule-run.js';
import { ScheduleRunRepository } from './domain/schedule-run.repository.js';
import { openSchedule, ScheduleRepository } from './domain/schedule.repository.js';
import { SchedulesQueue } from './domain/schedules-queue.js';
import { SourceLimits } from './domain/source-limits.js';
import { RunEndsService } from './runs/run-ends.service.js';
import { RunReadingService } from './runs/run-reading.service.js';
import { RunRecordingService } from './runs/run-recording.service.js';
import { RunWritingService } from './runs/run-writing.service.js';

/** Attempts after temporary failures; results are waiting for the later ones. */
const MAX_ATTEMPTS = { queued: 3, writing: 6 };
const FIRST_PAUSE_SECONDS = 5;
/** Other lists of the team or of all teams are in the way. */
const BUSY = ['queue_full', 'rate_limited', 'too_many_unverified'];
/**
 * Seconds. A pause lasts as long as the run has waited so far, within these bounds: the source is read again after each
 * pause, and so less and less often.
 */
const BUSY_PAUSE = { min: 60, max: 3_600 };

/** Starts the runs of schedules, and brings them to their end. A process that dies is replaced when its lease expires. */
@Injectable()
export class ScheduleRunsService implements TeamWorker<LeasedRun> {
  /** Runs of this process that read for long. */
  private readonly long = new Set<string>();

  constructor(
    private readonly schedules: ScheduleRepository,
    readonly units: ScheduleRunRepository,
    private readonly reading: RunReadingService,
    private readonly recording: RunRecordingService,
    private readonly writing: RunWritingService,
    private readonly ends: RunEndsService,
    private readonly rows: ScheduleRowRepository,
    private readonly limits: SourceLimits,
    private readonly teams: TeamsService,
    private readonly tiers: TiersService,
    private readonly queue: SchedulesQueue,
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
    const run = await this.units.addUnlessOpen(ScheduleRun.of(schedule, this.clock.now()));
    this.queue.enqueueAfterCommit(schedule.teamId);
    return run;
  }

  /** Its run goes on once the open unit of work has committed. */
  enqueueAfterCommit({ teamId }: Schedule): void {
    this.queue.enqueueAfterCommit(teamId);
  }

  /** Deletes what is stored of runs that have ended. @returns of how many. */
  async deleteRows(): Promise<number> {
    const ended = await this.units.listEndedWithRows();
    for (const run of ended) {
      await this.rows.deleteAll(run);
      await this.units.forgetRows(run.id);
    }
    return ended.length;
  }

  /** @returns null also when its runs read for long, and this process has as many of these as it may. */
  async claim(team: TeamId): Promise<LeasedRun | null> {
    const mayBeLong = this.long.size < this.limits.longAtOnce;
    const leased = await (mayBeLong ? this.units.claim(team) : this.units.claimShort(team));
    if (leased?.run.state !== 'queued' || !leased.run.isLong) return leased;
    if (this.takeLongPlace(leased.run)) return leased;
    await this.units.release(leased, GOES_ON);
    return null;
  }

  get renewMs(): number {
    return this.limits.renewMs;
  }

  /** Who waits for a source, or for listmonk, learns that its schedule is gone, changed, or may not go on. */
  async renew(leased: LeasedRun): Promise<boolean> {
    const access = await this.teams.access(leased.run.teamId, null);
    if (access === null || !(await this.units.renew(leased))) return false;
    this.tiers.require(access.tier, 'schedules');
    return true;
  }

  pauseAfter({ run }: LeasedRun): number {
    return FIRST_PAUSE_SECONDS * 2 ** (run.attempts - 1);
  }

  async run(leased: LeasedRun, signal: AbortSignal): Promise<Release | null> {
    const stop = new AbortController();
    const short = setTimeout(() => this.becomeLong(leased, stop), this.limits.shortMs);
    const stopped = AbortSignal.any([signal, stop.signal]);
    try {
      await this.advance(leased, stopped);
      return null;
    } catch (error) {
      return await this.retryOrFail(leased, error, stopped);
    } finally {
      clearTimeout(short);
      this.long.delete(leased.run.id);
    }
  }

  /** A reading that lasts needs one of the few places for such; otherwise it goes on later. */
  private becomeLong({ run }: LeasedRun, stop: AbortController): void {
    if (run.state !== 'queued') return;
    run.isLong = true;
    if (!this.takeLongPlace(run)) stop.abort(new Yielded());
  }

  private takeLongPlace({ id }: ScheduleRun): boolean {
    if (!this.long.has(id) && this.long.size >= this.limits.longAtOnce) return false;
    this.long.add(id);
    return true;
  }

  /** The list of a run has ended. */
  async jobEnded(jobId: string, status: 'completed' | 'failed' | 'canceled'): Promise<void> {
    await this.work.run(async () => {
      const run = await this.units.findVerifyingForUpdate(jobId);
      if (run === null) return;
      if (status === 'completed') {
        run.write();
        await this.units.save(run);
        this.queue.enqueueAfterCommit(run.teamId);
        return;
      }
      await this.ends.fail(run, new RunFailure(status === 'failed' ? 'job_failed' : 'job_canceled'));
      await this.units.save(run);
    });
  }

  private async advance(leased: LeasedRun, signal: AbortSignal): Promise<void> {
    const { run } = leased;
    if (run.attempts > MAX_ATTEMPTS.writing) throw new RunFailure('interrupted');
    const { schedule, secret } = await openSchedule(this.schedules, run.scheduleId);
    const caller = await this.callerOf(schedule);
    this.tiers.require(caller.tier, 'schedules');
    if (run.state === 'queued') {
      if (run.isStopped) throw new RunFailure('disabled');
      if (!(await this.recording.recordLeft(leased, schedule, caller, signal))) throw new Yielded();
      const reading = await this.reading.read(leased, schedule, secret, caller, signal);
      if (reading === 'submitted') return;
      if (reading === 'yielded') throw new Yielded();
    }
    if (!(await this.recording.record(leased, caller, signal))) throw new Yielded();
    const writing = await this.writing.write(leased, signal);
    if (writing === 'yielded') throw new Yielded();
    if (writing === 'written') await this.complete(leased);
  }

  /** @throws LeaseLost, and what is unexpected, so that it is logged. */
  private async retryOrFail(
    leased: LeasedRun,
    thrown: unknown,
    stopped: AbortSignal,
  ): Promise<Release | null> {
    const { run } = leased;
    const error: unknown = stopped.aborted ? stopped.reason : thrown;
    if (error instanceof LeaseLost) throw error;
    // Other teams have their turn, or the process shuts down.
    if (error instanceof Yielded || (stopped.aborted && !(error instanceof DomainError))) return GOES_ON;
    if (error instanceof DomainError && BUSY.includes(error.definition.code))
      return { afterSeconds: this.busyPauseOf(run), countsAsAttempt: false };
    const failure = failureOf(error);
    const max = run.state === 'queued' ? MAX_ATTEMPTS.queued : MAX_ATTEMPTS.writing;
    const isFinal = failure !== null && !failure.isTemporary;
    const mayRetry = !isFinal && run.attempts < max;
    if (!mayRetry) await this.fail(leased, failure ?? new RunFailure('interrupted'));
    if (failure === null) throw error;
    return mayRetry ? { afterSeconds: this.pauseAfter(leased), countsAsAttempt: true } : null;
  }

  private busyPauseOf({ startedAt }: ScheduleRun): number {
    const now = this.clock.now();
    const waitedSeconds = (now.getTime() - (startedAt ?? now).getTime()) / 1_000;
    return Math.min(Math.max(waitedSeconds, BUSY_PAUSE.min), BUSY_PAUSE.max);
  }

  private complete(leased: LeasedRun): Promise<void> {
    return this.end(leased, () => this.ends.complete(leased.run));
  }

  private fail(leased: LeasedRun, failure: Failure): Promise<void> {
    return this.end(leased, () => this.ends.fail(leased.run, failure));
  }

  /** @throws LeaseLost */
  private end(leased: LeasedRun, end: () => Promise<void>): Promise<void> {
    return this.work.run(async () => {
      await end();
      if (!(await this.units.saveAndEndLease(leased))) throw new LeaseLost();
    });
  }

  /** The team as the caller of a list. @throws UnitDeleted with its team. */
  private async callerOf({ id, teamId }: Schedule): Promise<Principal> {
    const access = await this.teams.access(teamId, null);
    if (access === null) throw new UnitDeleted();
    const unlimited = { expiresAt: null, allowedCidrs: null, publishable: null, userId: null };
    return { ...access, ...unlimited, keyId: id, mode: 'live', teamId, scopes: ['lists'] };
  }
}

/** The run gives its place to others, and goes on later. */
class Yielded extends Error {}

/** null: unexpected. */
function failureOf(error: unknown): RunFailure | null {
  if (error instanceof RunFailure) return error;
  if (error instanceof NotFound) return new RunFailure('job_canceled');
  if (!(error instanceof DomainError)) return null;
  const { code } = error.definition;
  return new RunFailure(Object.hasOwn(FAILURES, code) ? (code as FailureCode) : 'malformed_list');
}
