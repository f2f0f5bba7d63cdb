import type { Charge } from '../../../../kernel/charge.js';
import type { EventOf } from '../../../../kernel/events.js';
import { newId, type ListId } from '../../../../kernel/ids.js';
import type { CsvFormat, ListHeader, UniqueBy } from '../../../../kernel/list-files/list-format.js';
import type { Language } from '../../../../kernel/mail.js';
import type { Mode, TeamId, UserId } from '../../../../kernel/principal.js';
import { MIN_RESULT_DAYS } from '../../../../kernel/retention.js';
import type { ListPreview } from '../../../../engine/list-preview.js';
import { STATUS_OF, STATUSES, type Reason, type Status, type Verdict } from '../../../../kernel/verdict.js';
import type { AddressResult } from './list.repository.js';
import { DAY_MS } from '../../../../kernel/durations.js';

/** The states that the API shows. */
export const JOB_STATUSES = ['held', 'queued', 'running', 'completed', 'canceled', 'failed'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/**
 * `receiving`: the list is being uploaded; it becomes `held` or `queued`, or is deleted. `held`: it waits for a call
 * that starts it, and is deleted after a day. `erasing`: hidden, and being deleted.
 */
export type JobState = 'receiving' | JobStatus | 'erasing';

export type JobEndedEvent = EventOf<'bulk_job.completed' | 'bulk_job.failed' | 'bulk_job.canceled'>;

/** How long a held list waits for its start. */
export const MAX_HOLD_MS = DAY_MS;

/** What was counted of an upload. */
export interface ListSize {
  total: number;
  empty: number;
  /** Unique addresses. */
  addresses: number;
}

/** What advances a job beside its results. */
export interface Progress {
  /** Charged addresses. */
  charged: number;
  /** Newly deferred addresses, minus those that received their verdict. */
  deferred: number;
  /** Chunks that are complete. */
  chunks: number;
}

/** A list of addresses that is verified in the background. */
export class BulkJob {
  readonly id = newId('job');
  /** The id of the job's rows and results in storage; set by `add`. */
  readonly listId!: ListId;
  state: JobState = 'receiving';
  /** Rows. */
  total = 0;
  /** Rows without an address, which get no result. */
  empty = 0;
  /** Unique addresses, or mailboxes (`uniqueBy`). */
  addresses = 0;
  /** Rows that have a result, or no address. */
  processed = 0;
  /** Unique addresses that have a result. */
  verified = 0;
  /** Charged addresses. */
  charged = 0;
  byReason: Partial<Record<Reason, number>> = {};
  /** Deliverable rows whose address belongs to a role. */
  deliverableRoles = 0;
  /** Sums over rows to which mail may be sent; `unknown`: rows without an estimate. */
  bounces = { unknown: 0, low: 0, high: 0 };
  chunksLeft = 0;
  deferredLeft = 0;
  /** The reserved units of the whole list. */
  charge: Charge | null = null;
  failure: string | null = null;
  /** Whose run it is; null: it was submitted. */
  scheduleId: string | null = null;
  /** The trace of its submission. */
  traceparent: string | null = null;
  name: string | null = null;
  refresh = false;
  /** The maximum age of stored facts in seconds; null: until they expire. */
  maxAge: number | null = null;
  uniqueBy: UniqueBy = 'address';
  /** The language of the mail to its creator at its end; null: none. */
  notify: Language | null = null;
  /** The columns of a CSV, in order; null: another format. */
  columns: readonly string[] | null = null;
  /** Of a CSV; null: another format. */
  delimiter: string | null = null;
  /** Whether the CSV began with a byte order mark. */
  bom = false;
  /** Whether a line of the CSV names the columns; null: another format. */
  hasHeader: boolean | null = null;
  /** How the CSV was read; null: another format, or a job of an earlier version. */
  format: CsvFormat | null = null;
  /** What a held list contains; null: not known yet, or it was not held. */
  preview: ListPreview | null = null;
  /** The last activity of its upload, or of its rows that were not deferred. */
  touchedAt: Date;
  startedAt: Date | null = null;
  finishedAt: Date | null = null;

  constructor(
    readonly teamId: TeamId,
    readonly mode: Mode,
    /** Days until it is deleted after its end. */
    public retentionDays: number,
    readonly createdAt: Date,
    /** null: a service key, or the user was deleted. */
    readonly createdBy: UserId | null = null,
  ) {
    this.touchedAt = createdAt;
  }

  get isOpen(): boolean {
    return this.state === 'queued' || this.state === 'running';
  }

  /** Estimated seconds; null: unknown, only deferred rows are left, or it has ended. */
  etaSeconds(now: Date): number | null {
    const left = this.addresses - this.verified - this.deferredLeft;
    if (!this.isOpen || this.startedAt === null || this.verified === 0 || left === 0) return null;
    const elapsed = (now.getTime() - this.startedAt.getTime()) / 1000;
    return Math.max(1, Math.ceil((elapsed * left) / this.verified));
  }

  /** Whether it waits for its start. */
  get isHeld(): boolean {
    return this.state === 'held';
  }

  get hasPreview(): boolean {
    return this.preview !== null;
  }

  /** When it is deleted; null: it was started and has not ended. @param maxDays the team's current retention in days. */
  expiresAt(maxDays: number): Date | null {
    if (this.isHeld) return new Date(this.touchedAt.getTime() + MAX_HOLD_MS);
    // It was held, and canceled.
    if (this.charge === null) return this.finishedAt;
    const days = Math.max(MIN_RESULT_DAYS, Math.min(this.retentionDays, maxDays));
    return this.finishedAt && new Date(this.finishedAt.getTime() + days * DAY_MS);
  }

  /** It cannot be read any more, and is deleted by the next sweep. @param maxDays as of `expiresAt`. */
  hasExpired(maxDays: number, now: Date): boolean {
    const expiresAt = this.expiresAt(maxDays);
    return expiresAt !== null && expiresAt <= now;
  }

  get isEnded(): boolean {
    return this.finishedAt !== null;
  }

  /** Whether it counts for a limit of the day on which it was received: it has no units, or not for all of its rows. */
  get isCounted(): boolean {
    return this.total > 0 && (this.mode === 'test' || this.processed < this.total);
  }

  get byStatus(): Record<Status, number> {
    const counts = Object.fromEntries(STATUSES.map((status) => [status, 0])) as Record<Status, number>;
    for (const [reason, rows] of Object.entries(this.byReason)) counts[STATUS_OF[reason as Reason]] += rows;
    return counts;
  }

  /** Of all rows to which mail may be sent; null: it has not completed, or one has no estimate. */
  get expectedBounces(): { low: number; high: number } | null {
    const { unknown, low, high } = this.bounces;
    if (this.state !== 'completed' || unknown > 0) return null;
    return { low: Math.floor(low), high: Math.ceil(high) };
  }

  /** What the upload says about its list; where it says nothing, the default stays. */
  describe(header: ListHeader): void {
    this.name = header.name;
    this.refresh = header.refresh ?? false;
    this.maxAge = header.maxAge;
    this.uniqueBy = header.uniqueBy ?? 'address';
    this.notify = header.notify;
    this.columns = header.columns;
    this.delimiter = header.delimiter;
    this.bom = header.bom;
    this.hasHeader = header.hasHeader;
    this.format = header.format;
  }

  /** The upload is complete. */
  measure({ total, empty, addresses }: ListSize, chunks: number): void {
    this.total = total;
    this.empty = empty;
    this.processed = empty;
    this.addresses = addresses;
    this.chunksLeft = chunks;
  }

  /** It waits for `queue`. */
  hold(now: Date): void {
    this.state = 'held';
    this.touchedAt = now;
  }

  /** @param charge the reserved units of the whole list. */
  queue(charge: Charge, now: Date): void {
    this.state = 'queued';
    this.charge = charge;
    this.touchedAt = now;
  }

  /** A held list as the answer to its cancellation shows it, with which it is deleted. */
  cancelHeld(now: Date): void {
    this.state = 'canceled';
    this.finishedAt = now;
  }

  /**
   * Requires an open job.
   *
   * @param results of addresses, from chunks or rechecks.
   * @returns the event of its end, when that was the last part.
   */
  advance(
    results: readonly AddressResult[],
    { charged, deferred, chunks }: Progress,
    now: Date,
  ): JobEndedEvent | null {
    this.state = 'running';
    this.startedAt ??= now;
    this.verified += results.length;
    this.charged += charged;
    this.deferredLeft += deferred;
    this.chunksLeft -= chunks;
    if (deferred >= 0) this.touchedAt = now;
    for (const { verdict, rows } of results) {
      this.processed += rows;
      this.byReason[verdict.reason] = (this.byReason[verdict.reason] ?? 0) + rows;
      if (STATUS_OF[verdict.reason] === 'deliverable' && verdict.checks.role) this.deliverableRoles += rows;
      this.addBounces(verdict, rows);
    }
    return this.chunksLeft + this.deferredLeft === 0 ? this.finish(now) : null;
  }

  /** The bounds of the addresses are added, because errors of one share are common to many addresses. */
  private addBounces({ policy, estimate }: Verdict, rows: number): void {
    if (policy.decision === 'reject') return;
    if (estimate === null) this.bounces.unknown += rows;
    else {
      this.bounces.low += rows * (1 - estimate.high);
      this.bounces.high += rows * (1 - estimate.low);
    }
  }

  /** Requires an open job. */
  cancel(now: Date): JobEndedEvent {
    return this.end('canceled', now);
  }

  /** All chunks are done: rows without a result were lost. */
  private finish(now: Date): JobEndedEvent {
    if (this.processed === this.total) return this.end('completed', now);
    this.failure = 'input_unreadable';
    return this.end('failed', now);
  }

  /** Hides the job. @param touchedAt when the deletion of its rows began; later: it is kept until then, without them. */
  startErasure(touchedAt: Date): void {
    this.state = 'erasing';
    this.name = null;
    this.columns = null;
    this.preview = null;
    this.touchedAt = touchedAt;
  }

  private end(state: 'completed' | 'canceled' | 'failed', now: Date): JobEndedEvent {
    this.state = state;
    this.startedAt ??= now;
    this.finishedAt = now;
    return { type: `bulk_job.${state}`, teamId: this.teamId, data: this.summary(state) };
  }

  /** The payload of the event of its end: counts and paths, never an address. */
  summary(status: 'completed' | 'canceled' | 'failed') {
    const path = `/v1/bulk-jobs/${this.id}`;
    return {
      job_id: this.id,
      mode: this.mode,
      status,
      failure: this.failure,
      total: this.total,
      empty: this.empty,
      unique: this.addresses,
      processed: this.processed,
      by_status: this.byStatus,
      by_reason: this.byReason,
      links: { job: path, results: `${path}/results` },
    };
  }
}
