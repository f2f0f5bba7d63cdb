import { newId } from '../../../kernel/ids.js';
import type { TeamId } from '../../../kernel/principal.js';
import type { Status } from '../../../kernel/verdict.js';
import type { FailureCode } from './failure.js';
import type { Schedule, ScheduleId } from './schedule.js';

export const RUN_STATES = ['queued', 'verifying', 'writing', 'completed', 'failed'] as const;
export type RunState = (typeof RUN_STATES)[number];

/** What the results of some rows have changed. */
export interface RecordedResults {
  /** Addresses without an earlier status. */
  added: number;
  /** Addresses with another status than before, by their status now. */
  changed: Partial<Record<Status, number>>;
}

/**
 * A run of a schedule. `queued`: its source is read next, or now; `verifying`: its list is verified; `writing`: results
 * are recorded, and written to the source.
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
  added = 0;
  /** Of these, those with another status than before, by their status now. */
  changed: Partial<Record<Status, number>> = {};
  /** Subscribers that were not changed in listmonk although their result asks for it. */
  notWritten = 0;
  /** The last row of the list whose result is recorded. */
  position = -1;
  /** Times that a process has begun with its state. */
  attempts = 0;
  failure: FailureCode | null = null;
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

  /** The source was read. @param jobId of the rows to verify. */
  verify(jobId: string, { rows, unchanged }: Pick<ScheduleRun, 'rows' | 'unchanged'>): void {
    Object.assign(this, { state: 'verifying', jobId, rows, unchanged, attempts: 0 });
  }

  /** @param position of the last of the rows. */
  record({ added, changed, notWritten }: RecordedResults & { notWritten: number }, position: number): void {
    this.added += added;
    for (const [status, count] of Object.entries(changed) as [Status, number][])
      this.changed[status] = (this.changed[status] ?? 0) + count;
    this.notWritten += notWritten;
    this.position = position;
    this.attempts = 1;
  }

  end(failure: FailureCode | null, now: Date): void {
    this.state = failure === null ? 'completed' : 'failed';
    this.failure = failure;
    this.finishedAt = now;
  }

  /** The payload of the event of its end. */
  summary(status: 'completed' | 'failed', schedule: Pick<Schedule, 'enabled'>) {
    const path = `/v1/schedules/${this.scheduleId}`;
    return {
      schedule_id: this.scheduleId,
      run_id: this.id,
      job_id: this.jobId,
      status,
      failure: this.failure,
      enabled: schedule.enabled,
      rows: this.rows,
      unchanged: this.unchanged,
      verified: this.verified,
      new: this.added,
      changed: this.changed,
      not_written: this.notWritten,
      links: { schedule: path, runs: `${path}/runs` },
    };
  }
}

/** A run that a process works on. */
export interface LeasedRun {
  run: ScheduleRun;
  lease: string;
}

/** Another process has the run, or its schedule was deleted. */
export class LeaseLost extends Error {}
