import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../kernel/audit-log.js';
import { Clock } from '../../kernel/clock.js';
import { InvalidRequest } from '../../kernel/invalid-request.js';
import type { Principal } from '../../kernel/principal.js';
import { NotFound } from '../../kernel/not-found.js';
import type { Page, PageRequest } from '../../kernel/page.js';
import { RateLimited } from '../../kernel/rate-limited.js';
import { UnitOfWork } from '../../kernel/unit-of-work.js';
import { TiersService } from '../tiers/tiers.service.js';
import { DailyQuotaExceeded, UsageService } from '../usage/usage.service.js';
import { VerificationService } from '../verification/verification.service.js';
import { BulkQueue } from './bulk-queue.service.js';
import { BulkDeletionService } from './bulk-deletion.service.js';
import { BulkTooLarge, QueueFull } from './bulk.errors.js';
import { inBatches } from './domain/batches.js';
import { BulkJob, type JobStatus } from './domain/bulk-job.js';
import { BulkJobRepository } from './domain/bulk-job.repository.js';
import { BulkSlots } from './domain/bulk-slots.js';
import { rangesFor } from './domain/hash-range.js';
import { keepable, type ListEntry, type ListRow } from './domain/list-entry.js';
import { anEmptyHeader, ListReader, type ListFormat, type ListHeader } from './domain/list-reader.js';
import { ListRepository } from './domain/list.repository.js';
import { ChunkRepository } from './domain/chunk.repository.js';

/** A list as it comes in. */
export interface Submission {
  format: ListFormat;
  body: AsyncIterable<Buffer>;
  /** What the query says; what the body says goes before it. */
  name: string | null;
  refresh: boolean;
  /** Called in the transaction that makes the list a job, with what the caller will be answered. */
  accepted: (job: BulkJob) => Promise<void>;
}

/** Room for an address and what belongs to it, in the raw body. */
const BYTES_PER_ROW = 512;
const LEAST_BYTES = 1_000_000;
/** Uploads of a team under way at one time: what is refused in the end costs nothing, so it is bounded. */
const MOST_UPLOADS = 5;
/** With so many rows waiting no new list is taken; a team stops at half, so that none shuts the others out. */
const MOST_WAITING = { own: 5_000_000, all: 10_000_000 };
const COME_BACK_SECONDS = 5;
const TEST = { rows: 10_000, jobsADay: 20, retentionDays: 1 };
const DAY_MS = 86_400_000;
/** Rows that an upload stores at a time. */
const ROWS_STAGED = 4_000;

@Injectable()
export class BulkService {
  constructor(
    private readonly jobs: BulkJobRepository,
    private readonly lists: ListRepository,
    private readonly parts: ChunkRepository,
    private readonly reader: ListReader,
    private readonly verification: VerificationService,
    private readonly usage: UsageService,
    private readonly tiers: TiersService,
    private readonly ending: BulkDeletionService,
    private readonly bell: BulkQueue,
    private readonly slots: BulkSlots,
    private readonly audit: AuditLog,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Bytes of the largest body that a list of this caller may have. */
  mostBytes(caller: Principal): number {
    return Math.max(this.mostRows(caller) * BYTES_PER_ROW, LEAST_BYTES);
  }

  /**
   * Takes a list in. Its rows are committed while they arrive, under a job that nobody sees, so that a
   * slow upload holds no transaction; one short transaction makes it a job. What is refused, or breaks
   * off, leaves nothing.
   *
   * @throws InvalidRequest, MalformedList, BulkTooLarge, UpgradeRequired, DailyQuotaExceeded, RateLimited, QueueFull
   */
  async submit(caller: Principal, submission: Submission): Promise<BulkJob> {
    const { format, body } = submission;
    const { list } = await this.begin(caller);
    const header = anEmptyHeader();
    try {
      const entries = this.reader.read(format, body, header);
      const total = await this.receive(caller, list, entries);
      const name = header.name ?? submission.name;
      const refresh = header.refresh ?? submission.refresh;
      const said = { ...submission, name, refresh, columns: header.columns };
      return await this.queue(caller, list, total, said);
    } catch (error) {
      // If that fails too, a sweep erases it.
      await this.ending.erase(list).catch(() => undefined);
      throw error;
    }
  }

  /** Newest first. @param status null: all. */
  list(caller: Principal, status: JobStatus | null, request: PageRequest): Promise<Page<BulkJob>> {
    return this.jobs.page(caller, status, request);
  }

  /** @throws NotFound when there is none, or its days are over. */
  async get(caller: Principal, id: string): Promise<BulkJob> {
    const job = await this.jobs.find(caller, id);
    const expiresAt = job?.expiresAt(caller.rules.retentionDays) ?? null;
    if (job === null || (expiresAt !== null && expiresAt <= this.clock.now())) throw new NotFound(NO_JOB);
    return job;
  }

  /** One that has ended stays as it is. @throws NotFound */
  async cancel(caller: Principal, id: string): Promise<BulkJob> {
    const { list } = await this.get(caller, id);
    const job = await this.ending.cancel(list);
    if (job === null) throw new NotFound(NO_JOB);
    return job;
  }

  /** Erases its addresses, its results and what they taught; cancels it first. @throws NotFound */
  async delete(caller: Principal, id: string): Promise<void> {
    const { list } = await this.get(caller, id);
    await this.ending.erase(list);
  }

  private mostRows({ tier, mode }: Principal): number {
    const { bulkLimit } = this.tiers.get(tier);
    return mode === 'test' ? Math.max(TEST.rows, bulkLimit) : bulkLimit;
  }

  private begin(caller: Principal): Promise<BulkJob> {
    return this.work.run(async () => {
      await this.jobs.acquireLock(caller);
      await this.requireRoom(caller);
      await this.requireShortQueue(caller);
      const days = caller.mode === 'test' ? TEST.retentionDays : caller.rules.retentionDays;
      const job = new BulkJob(caller.teamId, caller.mode, days, this.clock.now());
      await this.jobs.add(job);
      return job;
    });
  }

  private async requireRoom(caller: Principal): Promise<void> {
    const { receiving, all } = await this.jobs.countOpen(caller);
    if (receiving >= MOST_UPLOADS) throw new RateLimited(COME_BACK_SECONDS);
    if (caller.mode === 'live' || caller.tier === 'unlimited') return;
    const nowMs = this.clock.now().getTime();
    const today = new Date(nowMs - (nowMs % DAY_MS));
    if ((await this.jobs.countSince(caller, today)) >= TEST.jobsADay)
      throw new DailyQuotaExceeded(Math.ceil((today.getTime() + DAY_MS - nowMs) / 1000));
    if (all > 0) throw new RateLimited(COME_BACK_SECONDS);
  }

  private async requireShortQueue({ teamId }: Principal): Promise<void> {
    const { own, all } = await this.jobs.rowsWaiting(teamId);
    if (own >= MOST_WAITING.own || all >= MOST_WAITING.all) throw new QueueFull();
  }

  /** @returns how many rows came. */
  private async receive(
    caller: Principal,
    list: string,
    entries: AsyncIterable<readonly ListEntry[]>,
  ): Promise<number> {
    const most = this.mostRows(caller);
    let total = 0;
    let staged = Promise.resolve();
    try {
      for await (const batch of inBatches(entries, ROWS_STAGED)) {
        if (total + batch.length > most) throw new BulkTooLarge(most);
        const rows = batch.map((entry, n) => this.identify(entry, total + n));
        total += rows.length;
        // While one batch is stored, the next one is read.
        await staged;
        staged = this.slots.run(caller.teamId, () => this.lists.stage(list, rows));
        staged.catch(() => undefined);
      }
    } finally {
      // Nothing may arrive behind the back of whoever clears up.
      await staged;
    }
    return total;
  }

  private identify({ email, ref }: ListEntry, index: number): ListRow {
    const kept = keepable(email);
    return { index, hash: this.verification.identify(kept), email: kept, ref };
  }

  private async queue(
    caller: Principal,
    list: string,
    total: number,
    { name, refresh, columns, accepted }: Submission & Pick<ListHeader, 'columns'>,
  ): Promise<BulkJob> {
    if (total === 0) throw new InvalidRequest([EMPTY]);
    if (refresh && caller.mode === 'live') this.tiers.require(caller.tier, 'refresh');
    const addresses = await this.slots.run(caller.teamId, () => this.lists.countAddresses(list, total));
    const ranges = rangesFor(addresses);
    return this.work.run(async () => {
      const job = await this.jobs.lockForUpdate(list);
      if (job?.state !== 'receiving') throw new Error('The upload took so long that it was given up');
      // Others were uploaded meanwhile.
      await this.requireShortQueue(caller);
      const charge = await this.usage.reserve(caller, addresses);
      Object.assign(job, { name, refresh, columns });
      job.queue(total, addresses, ranges.length, charge, this.clock.now());
      await this.parts.addChunks(list, ranges);
      await this.jobs.save(job);
      await this.audit.record({
        action: 'bulk.submitted',
        teamId: job.teamId,
        target: { type: 'bulk_job', id: job.id },
        details: { total, addresses },
      });
      await accepted(job);
      // A bell that is out of order: a sweep rings again.
      this.work.afterCommit(
        () => void this.bell.enqueueChunks(ranges.map((_, no) => ({ list, no }))).catch(() => undefined),
      );
      return job;
    });
  }
}

const NO_JOB = 'There is no such bulk job.';
const EMPTY = { pointer: '/emails', code: 'too_small', message: 'Send at least one address.' };
