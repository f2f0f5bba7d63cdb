import type { DomainEvent } from '../../../kernel/domain-event.js';
import { newId } from '../../../kernel/ids.js';
import type { Mode, TeamId } from '../../../kernel/principal.js';
import { STATUS_OF, STATUSES, type Reason, type Status } from '../../../kernel/verdict.js';
import { bulkJobEnded } from './bulk-job.events.js';

/** What a caller sees of a job's life. */
export const JOB_STATUSES = ['queued', 'running', 'completed', 'canceled', 'failed'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/**
 * `receiving`: its list is still coming in; it becomes `queued`, or is erased. `erasing`: nobody sees
 * it any more, and it will be gone. Every state has a way out that needs no caller.
 */
export type JobState = 'receiving' | JobStatus | 'erasing';

const DAY_MS = 86_400_000;
const OPEN: readonly JobState[] = ['queued', 'running'];

/** What was taken from the team's day for the whole list; the usage module's own shape, stored with the job. */
export interface JobCharge {
  readonly teamId: TeamId;
  readonly account: string;
  readonly day: string;
  readonly units: number;
  readonly limit: number | null;
  readonly lease: string | null;
  readonly mode: Mode;
}

export type CountsByReason = Partial<Record<Reason, number>>;

/** What one part of a job's work has brought. */
export interface Progress {
  /** Rows that have their result now, duplicates too. */
  rows: number;
  /** Addresses that have. */
  addresses: number;
  byReason: CountsByReason;
  /** How many of the addresses are paid. */
  charged: number;
  /** Addresses that were deferred, less those that have their answer. */
  deferred: number;
  /** 1: the part was a chunk; 0: it was a recheck. */
  chunks: 0 | 1;
}

/** A list of addresses that is verified in the background. */
export class BulkJob {
  readonly id = newId('job');
  /** Names the job's rows and results in storage; there once it was added. */
  readonly list!: string;
  state: JobState = 'receiving';
  /** Rows. */
  total = 0;
  /** Addresses among them: rows of one address count once. */
  addresses = 0;
  /** Rows that have a result. */
  processed = 0;
  /** Rows that can be found by the reason of their verdict; storage counts them. */
  readonly indexed: number = 0;
  /** Addresses that have. */
  answered = 0;
  /** Addresses that are paid. */
  charged = 0;
  byReason: CountsByReason = {};
  chunksLeft = 0;
  deferredLeft = 0;
  charge: JobCharge | null = null;
  failure: string | null = null;
  name: string | null = null;
  refresh = false;
  /** The columns of a CSV, in their order; null: the list was none. */
  columns: readonly string[] | null = null;
  /** The last sign of life of its upload, or of its rows that were not deferred. */
  touchedAt: Date;
  startedAt: Date | null = null;
  finishedAt: Date | null = null;

  constructor(
    readonly teamId: TeamId,
    readonly mode: Mode,
    /** Days that it is kept once it has ended. */
    readonly retentionDays: number,
    readonly createdAt: Date,
  ) {
    this.touchedAt = createdAt;
  }

  get isOpen(): boolean {
    return OPEN.includes(this.state);
  }

  /** Seconds, at the rate so far; null: nothing is known yet, only deferred rows are left, or it has ended. */
  etaSeconds(now: Date): number | null {
    const left = this.addresses - this.answered - this.deferredLeft;
    if (!this.isOpen || this.startedAt === null || this.answered === 0 || left === 0) return null;
    const elapsed = (now.getTime() - this.startedAt.getTime()) / 1000;
    return Math.max(1, Math.ceil((elapsed * left) / this.answered));
  }

  /** When it is erased; null: it has not ended. @param most days that the team keeps things by now. */
  expiresAt(most: number): Date | null {
    const days = Math.min(this.retentionDays, most);
    return this.finishedAt && new Date(this.finishedAt.getTime() + days * DAY_MS);
  }

  get isEnded(): boolean {
    return this.finishedAt !== null;
  }

  /** false: some of its rows were recorded by an earlier version, which kept no index of reasons. */
  get isIndexed(): boolean {
    return this.indexed === this.processed;
  }

  get byStatus(): Record<Status, number> {
    const counts = Object.fromEntries(STATUSES.map((status) => [status, 0])) as Record<Status, number>;
    for (const [reason, rows] of Object.entries(this.byReason)) counts[STATUS_OF[reason as Reason]] += rows;
    return counts;
  }

  /** The whole list is there. */
  queue(total: number, addresses: number, chunks: number, charge: JobCharge, now: Date): void {
    this.state = 'queued';
    this.total = total;
    this.addresses = addresses;
    this.chunksLeft = chunks;
    this.charge = charge;
    this.touchedAt = now;
  }

  /** Only when it is open. @returns the news of its end, when that was the last part. */
  advance({ rows, addresses, byReason, charged, deferred, chunks }: Progress, now: Date): DomainEvent | null {
    this.state = 'running';
    this.startedAt ??= now;
    this.processed += rows;
    this.answered += addresses;
    this.charged += charged;
    this.deferredLeft += deferred;
    this.chunksLeft -= chunks;
    if (chunks > 0) this.touchedAt = now;
    for (const [reason, count] of Object.entries(byReason) as [Reason, number][]) {
      this.byReason[reason] = (this.byReason[reason] ?? 0) + count;
    }
    return this.chunksLeft + this.deferredLeft === 0 ? this.finish(now) : null;
  }

  /** Only when it is open. */
  cancel(now: Date): DomainEvent {
    return this.end('canceled', now);
  }

  /** All work is done: rows that still have no result were lost. */
  private finish(now: Date): DomainEvent {
    if (this.processed === this.total) return this.end('completed', now);
    this.failure = 'input_unreadable';
    return this.end('failed', now);
  }

  /** Nobody sees it any more. @param touchedAt when somebody began to erase it. */
  markDeleted(touchedAt: Date): void {
    this.state = 'erasing';
    this.name = null;
    this.touchedAt = touchedAt;
  }

  private end(state: 'completed' | 'canceled' | 'failed', now: Date): DomainEvent {
    this.state = state;
    this.startedAt ??= now;
    this.finishedAt = now;
    return bulkJobEnded(this);
  }
}
