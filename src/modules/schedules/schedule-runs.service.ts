import { Injectable } from '@nestjs/common';
import { setImmediate } from 'node:timers/promises';
import { AuditLog } from '../../kernel/audit-log.js';
import { Clock } from '../../kernel/clock.js';
import { DomainError, NotFound } from '../../kernel/errors.js';
import { Events } from '../../kernel/events.js';
import { isEmpty, type ListEntry } from '../../kernel/list-files/list-entry.js';
import type { Principal, TeamId } from '../../kernel/principal.js';
import { UnitOfWork } from '../../kernel/unit-of-work.js';
import { BulkUploadsService } from '../bulk/intake/bulk-uploads.service.js';
import { TeamsService } from '../teams/teams.service.js';
import { TiersService } from '../tiers/tiers.service.js';
import { AddressFactsService } from '../verification/address-facts.service.js';
import { FAILURES, RunFailure, type FailureCode } from './domain/failure.js';
import { ListSource, type OpenedList } from './domain/list-source.js';
import type { Schedule, SourceSecret } from './domain/schedule.js';
import { ScheduleMemberRepository } from './domain/schedule-member.repository.js';
import { ScheduleRun, type LeasedRun } from './domain/schedule-run.js';
import { ScheduleRunRepository } from './domain/schedule-run.repository.js';
import { ScheduleRepository } from './domain/schedule.repository.js';
import { SchedulesQueue } from './domain/schedules-queue.js';
import { RunResultsService } from './run-results.service.js';

const DAY_MS = 86_400_000;
const RENEW_INTERVAL_MS = 20_000;
/** For reading a source, in all. Shorter than the time after which an upload is given up. */
const MAX_READING_MS = 10 * 60_000;
/** Attempts after temporary failures; results are waiting for the later ones. */
const MAX_ATTEMPTS = { queued: 3, writing: 6 };
const FIRST_PAUSE_SECONDS = 5;
/** Other lists of the team or of all teams are in the way. */
const BUSY = ['queue_full', 'rate_limited'];
const BUSY_PAUSE_SECONDS = 60;
/** Rows that are identified without a return to the event loop. */
const UNINTERRUPTED = 250;

/** What was read of a source. */
interface ReadRows {
  rows: number;
  unchanged: number;
}

/** Starts the runs of schedules, and brings them to their end. A process that dies is replaced when its lease expires. */
@Injectable()
export class ScheduleRunsService {
  constructor(
    private readonly schedules: ScheduleRepository,
    private readonly runs: ScheduleRunRepository,
    private readonly members: ScheduleMemberRepository,
    private readonly source: ListSource,
    private readonly results: RunResultsService,
    private readonly uploads: BulkUploadsService,
    private readonly addresses: AddressFactsService,
    private readonly teams: TeamsService,
    private readonly tiers: TiersService,
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
    const schedule = await this.schedules.find(run.scheduleId);
    // Its runs are deleted too.
    if (schedule === null) throw new LeaseLost();
    const secret = await this.schedules.findSecret(schedule.id);
    if (secret === null) throw new RunFailure('secret_unreadable');
    const caller = await this.callerOf(schedule);
    if (run.state === 'queued') return this.read(leased, schedule, secret, caller, signal);
    await this.results.record(leased, schedule, secret, caller, signal, () => this.end(leased, null));
  }

  private async read(
    leased: LeasedRun,
    schedule: Schedule,
    secret: SourceSecret,
    caller: Principal,
    signal: AbortSignal,
  ): Promise<void> {
    this.tiers.require(caller.tier, 'schedules');
    const limited = AbortSignal.any([signal, AbortSignal.timeout(MAX_READING_MS)]);
    const list = await this.source.open(schedule.source, secret, limited);
    const read: ReadRows = { rows: 0, unchanged: 0 };
    const due = this.dueRows(schedule, list, read);
    const first = await due.next();
    if (first.done === true) {
      if (read.rows === 0 && schedule.source.kind === 'url') throw new RunFailure('empty');
      Object.assign(leased.run, read);
      return this.end(leased, null);
    }
    const entries = withFirst(first.value, due);
    Object.assign(list.header, { name: schedule.name, refresh: false });
    const upload = await this.uploads.receive(caller, { ...list, entries, isHeld: false });
    try {
      await this.work.run(async () => {
        const job = await this.uploads.accept(caller, upload, schedule.id);
        leased.run.verify(job.id, read);
        if (!(await this.runs.saveLeased(leased, true))) throw new LeaseLost();
      });
    } catch (error) {
      await this.uploads.discard(upload.listId);
      throw error;
    }
  }

  /** The rows whose address was not verified lately. Rows without an address are left out. */
  private async *dueRows(
    { id, maxAgeDays }: Schedule,
    { entries, header, options }: OpenedList,
    read: ReadRows,
  ): AsyncGenerator<readonly ListEntry[], void> {
    const since = new Date(this.clock.now().getTime() - maxAgeDays * DAY_MS);
    let hasAddress = false;
    for await (const piece of entries) {
      const keyed: { entry: ListEntry; key: string }[] = [];
      for (const [at, entry] of piece.entries()) {
        if (!isEmpty(entry.email)) keyed.push({ entry, key: this.addresses.locate(entry.email).addressKey });
        if (at % UNINTERRUPTED === 0) await setImmediate();
      }
      read.rows += piece.length;
      if (keyed.length === 0) continue;
      hasAddress = true;
      const known = await this.members.listVerifiedSince(
        id,
        keyed.map(({ key }) => key),
        since,
      );
      read.unchanged += keyed.filter(({ key }) => known.has(key)).length;
      // The rows that are left do not show whether the column was found well: those that are known do.
      if (read.unchanged > 0) options.column = header.format?.column;
      const due = keyed.filter(({ key }) => !known.has(key)).map(({ entry }) => entry);
      if (due.length > 0) yield due;
    }
    if (read.rows > 0 && !hasAddress) throw new RunFailure('empty');
  }

  private async retryOrFail(leased: LeasedRun, error: unknown, signal: AbortSignal): Promise<void> {
    const { run } = leased;
    if (signal.aborted) return this.runs.release(leased, 0, false);
    if (error instanceof DomainError && BUSY.includes(error.definition.code))
      return this.runs.release(leased, BUSY_PAUSE_SECONDS, false);
    const failure = failureOf(error);
    const max = run.state === 'queued' ? MAX_ATTEMPTS.queued : MAX_ATTEMPTS.writing;
    const isFinal = failure !== null && !failure.isTemporary;
    if (!isFinal && run.attempts < max)
      await this.runs.release(leased, FIRST_PAUSE_SECONDS * 2 ** (run.attempts - 1), true);
    else await this.end(leased, failure?.code ?? 'interrupted');
    // Unexpected: it is logged.
    if (failure === null) throw error;
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
    const isDisabled = schedule.runEnded(failure);
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

async function* withFirst<Item>(first: Item, others: AsyncIterable<Item>): AsyncGenerator<Item, void> {
  yield first;
  yield* others;
}

/** null: unexpected. */
function failureOf(error: unknown): RunFailure | null {
  if (error instanceof RunFailure) return error;
  if (error instanceof NotFound) return new RunFailure('job_canceled');
  if (!(error instanceof DomainError)) return null;
  const { code } = error.definition;
  return new RunFailure(Object.hasOwn(FAILURES, code) ? (code as FailureCode) : 'malformed_list');
}

/** Another process has the run, or it was deleted. */
export class LeaseLost extends Error {}
