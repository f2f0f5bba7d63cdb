import { newId } from '../../../../kernel/ids.js';
import type { TeamId } from '../../../../kernel/principal.js';
import type { Reason, Status } from '../../../../kernel/verdict.js';
import type { Failure, FailureCode } from './failure.js';
import type { SourcePlace, WrittenCounts } from './list-source.js';
import type { Schedule, ScheduleId } from './schedule.js';
import { DAY_MS } from '../../../../kernel/durations.js';

export const RUN_STATES = [
  'queued',
  'verifying',
  'writing',
  'needs_confirmation',
  'completed',
  'discarded',
  'failed',
] as const;
export type RunState = (typeof RUN_STATES)[number];

/** How long a run waits for its confirmation. */
export const CONFIRMATION_DAYS = 7;
/** Reasons that a request for a confirmation names. */
const NAMED_REASONS = 5;

/** What the results of some rows have changed. */
export interface RecordedResults {
  /** Addresses without an earlier status. */
  new: number;
  /** Addresses with another status than before, by their status now. */
  changed: Partial<Record<Status, number>>;
}

/** What a run would do if it is confirmed. */
export interface Confirmation {
  /** Subscribers that it would blocklist. */
  subscribers: number;
  /** Of all rows of the source, 0–1. */
  share: number;
  /** The commonest ones. */
  reasons: { reason: Reason; count: number }[];
}

/** Whether a run may blocklist: `within` the bound of its schedule, or because somebody has `confirmed` it. */
export type BlocklistPermit = 'within' | 'confirmed';

/**
 * A run of a schedule. `queued`: its source is read next, or now; `verifying`: its list is verified; `writing`: results
 * are recorded, and written to the source; `needs_confirmation`: before the first is written, because they are many.
 */
export class ScheduleRun {
  readonly id = newId('run');
  state: RunState = 'queued';
  /** null: nothing was verified, or it has not begun. */
  jobId: string | null = null;
  /** Rows of the source. */
  rows = 0;
  /** Rows whose address needs no verification. */
  unchanged = 0;
  /** Distinct addresses that were verified. */
  verified = 0;
  /** Of these, those without an earlier status. */
  new = 0;
  /** Of these, those with another status than before, by their status now. */
  changed: Partial<Record<Status, number>> = {};
  /** Subscribers that have their result in listmonk. */
  written = 0;
  /** Subscribers that were not changed in listmonk although their result asks for it. */
  notWritten = 0;
  /** Subscribers whose result is written by a later run. */
  postponed = 0;
  /** Where the source is read next; null: from its beginning. */
  place: SourcePlace | null = null;
  /** Whether it reads for longer than most. */
  isLong = false;
  /** Whether the schedule was disabled since: the run reads and writes nothing more. */
  isStopped = false;
  /** Whether rows or results of it may be stored. */
  hasRows = false;
  /** The index of the last row of its list, from 0, whose result is recorded; -1: none is. */
  position = -1;
  /** Whether all results of its list are recorded. */
  isRecorded = false;
  /** null: not decided yet. */
  permit: BlocklistPermit | null = null;
  /** null: it has not asked for one. */
  confirmation: Confirmation | null = null;
  /** Until when it waits for one; null: it does not. */
  confirmBy: Date | null = null;
  /**
   * Claims by a process since the run last went forward, also the one under way: 0 when a state begins, and 1 when rows
   * were read, recorded or written. A claim that was given back without a failure does not count.
   */
  attempts = 0;
  failure: FailureCode | null = null;
  /** Of its failure. */
  failureDetail: string | null = null;
  startedAt: Date | null = null;
  finishedAt: Date | null = null;

  constructor(
    readonly scheduleId: ScheduleId,
    readonly teamId: TeamId,
    readonly createdAt: Date,
  ) {}

  static of({ id, teamId }: Schedule, now: Date): ScheduleRun {
    return new ScheduleRun(id, teamId, now);
  }

  /** The source is read from its beginning. */
  readAnew(): void {
    Object.assign(this, { rows: 0, unchanged: 0, place: null });
  }

  /** Some rows of the source were read. @param place after them. */
  read({ rows, unchanged }: Pick<ScheduleRun, 'rows' | 'unchanged'>, place: SourcePlace | null): void {
    this.rows += rows;
    this.unchanged += unchanged;
    this.hasRows = true;
    if (place === null) return;
    this.place = place;
    this.attempts = 1;
  }

  /** The source was read. @param jobId of the rows to verify. */
  verify(jobId: string): void {
    Object.assign(this, { state: 'verifying', jobId, attempts: 0 });
  }

  /** Nothing is left to verify. */
  write(): void {
    this.state = 'writing';
  }

  /** @param position the index of the last of the rows. */
  record({ new: found, changed }: RecordedResults, position: number): void {
    this.new += found;
    for (const [status, count] of Object.entries(changed) as [Status, number][])
      this.changed[status] = (this.changed[status] ?? 0) + count;
    this.position = position;
    this.attempts = 1;
  }

  /** Results were written. */
  wrote({ written, notWritten }: WrittenCounts, postponed: number): void {
    this.written += written;
    this.notWritten += notWritten;
    this.postponed += postponed;
    this.attempts = 1;
  }

  /** @param counts of the subscribers that it would blocklist. */
  askForConfirmation(counts: ReadonlyMap<Reason, number>, now: Date): Confirmation {
    const subscribers = [...counts.values()].reduce((sum, count) => sum + count, 0);
    const reasons = [...counts]
      .map(([reason, count]) => ({ reason, count }))
      .sort((one, other) => other.count - one.count)
      .slice(0, NAMED_REASONS);
    const share = this.rows === 0 ? 1 : Math.min(subscribers / this.rows, 1);
    this.state = 'needs_confirmation';
    this.confirmation = { subscribers, share: Math.round(share * 10_000) / 10_000, reasons };
    this.confirmBy = new Date(now.getTime() + CONFIRMATION_DAYS * DAY_MS);
    return this.confirmation;
  }

  confirm(): void {
    Object.assign(this, { state: 'writing', permit: 'confirmed', confirmBy: null, attempts: 0 });
  }

  discard(now: Date): void {
    Object.assign(this, { state: 'discarded', confirmBy: null, finishedAt: now });
  }

  complete(now: Date): void {
    Object.assign(this, { state: 'completed', finishedAt: now });
  }

  fail({ code, detail }: Failure, now: Date): void {
    Object.assign(this, { state: 'failed', failure: code, failureDetail: detail, finishedAt: now });
  }

  /** Whether results of its list are not recorded. */
  get hasLeft(): boolean {
    return this.jobId !== null && !this.isRecorded;
  }

  /** The payload of its events. */
  summary(schedule: Pick<Schedule, 'enabled'>) {
    const path = `/v1/schedules/${this.scheduleId}`;
    return {
      schedule_id: this.scheduleId,
      run_id: this.id,
      job_id: this.jobId,
      failure: this.failure,
      enabled: schedule.enabled,
      rows: this.rows,
      unchanged: this.unchanged,
      verified: this.verified,
      new: this.new,
      changed: this.changed,
      written: this.written,
      not_written: this.notWritten,
      postponed: this.postponed,
      links: { schedule: path, runs: `${path}/runs` },
    };
  }
}

/** A run that a process works on. */
export interface LeasedRun {
  run: ScheduleRun;
  lease: string;
}
