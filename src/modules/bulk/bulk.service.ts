import { Injectable } from '@nestjs/common';
import { setImmediate } from 'node:timers/promises';
import { AuditLog } from '../../kernel/audit-log.js';
import { Clock } from '../../kernel/clock.js';
import type { ListId } from '../../kernel/ids.js';
import { InvalidRequest, NotFound, RateLimited } from '../../kernel/errors.js';
import type { Principal } from '../../kernel/principal.js';
import type { Page, PageRequest } from '../../kernel/page.js';
import { Tracing } from '../../kernel/tracing.js';
import { UnitOfWork } from '../../kernel/unit-of-work.js';
import { TiersService } from '../tiers/tiers.service.js';
import { DailyQuotaExceeded, UsageService } from '../usage/usage.service.js';
import { AddressFactsService } from '../verification/address-facts.service.js';
import { BulkDeletionService } from './bulk-deletion.service.js';
import { BulkRechecksService } from './bulk-rechecks.service.js';
import { AddressCount } from './domain/address-count.js';
import { BulkTooLarge, QueueFull } from './domain/bulk.errors.js';
import { BulkJob } from './domain/bulk-job.js';
import { BulkJobRepository, type JobFilter } from './domain/bulk-job.repository.js';
import { ADDRESSES_PER_CHUNK, chunksOf, ListProviders } from './domain/hash-range.js';
import { inBatches, isEmpty, truncated, type ListEntry, type ListRow } from './domain/list-entry.js';
import {
  emptyHeader,
  ListReader,
  type ListFormat,
  type ListHeader,
  type ListOptions,
} from './domain/list-reader.js';
import { BulkSlots, ListRepository } from './domain/list.repository.js';
import { BulkQueue, ChunkRepository } from './domain/chunk.repository.js';

/** A list upload. */
export interface Submission {
  /** Starts to read the body: the format of a file in a form is known then. */
  open: () => Promise<{ format: ListFormat; bytes: AsyncIterable<Buffer> }>;
  /** From the query; the body takes precedence. */
  name: string | null;
  refresh: boolean;
  options: ListOptions;
  /** Called in the transaction that accepts the job, with the response. */
  accepted: (job: BulkJob) => Promise<void>;
}

/** What the rows of an upload show. */
interface SeenRows {
  providers: ListProviders;
  addresses: AddressCount;
}

/** Room for an address and its ref, in the raw body. */
const BYTES_PER_ROW = 512;
const MIN_BYTES = 1_000_000;
/** Concurrent uploads of a team: refused uploads cost nothing, so their number is limited. */
const MAX_UPLOADS = 5;
/**
 * Maximum number of waiting rows. A team's own limit is half of the total, so that it cannot block
 * others.
 */
const MAX_WAITING_ROWS = { own: 5_000_000, all: 10_000_000 };
const RETRY_AFTER_SECONDS = 5;
const BUSY_UPLOADS = `This team sends ${MAX_UPLOADS} lists, as many as it may at the same time.`;
const TEST_JOB = 'With a test key one list is verified at a time; another one has not ended.';
const TEST = { jobsADay: 20, retentionDays: 1 };
const DAY_MS = 86_400_000;
/** Rows that are identified without a return to the event loop. */
const UNINTERRUPTED = 250;

@Injectable()
export class BulkService {
  constructor(
    private readonly jobs: BulkJobRepository,
    private readonly lists: ListRepository,
    private readonly chunks: ChunkRepository,
    private readonly reader: ListReader,
    private readonly addresses: AddressFactsService,
    private readonly usage: UsageService,
    private readonly tiers: TiersService,
    private readonly deletion: BulkDeletionService,
    private readonly rechecks: BulkRechecksService,
    private readonly jobQueue: BulkQueue,
    private readonly slots: BulkSlots,
    private readonly audit: AuditLog,
    private readonly tracing: Tracing,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Maximum body size of this caller in bytes. */
  maxBytes(caller: Principal): number {
    return Math.max(this.tiers.bulkLimit(caller.tier, caller.mode) * BYTES_PER_ROW, MIN_BYTES);
  }

  /**
   * Accepts a list. Rows are committed while they arrive, under a hidden job, so that a slow upload
   * holds no transaction; one short transaction makes the job visible. A refused or interrupted upload
   * leaves nothing.
   *
   * @throws InvalidRequest, MalformedList, BulkTooLarge, UpgradeRequired, DailyQuotaExceeded,
   * RateLimited, QueueFull
   */
  async submit(caller: Principal, submission: Submission): Promise<BulkJob> {
    const { listId } = await this.begin(caller);
    const header = emptyHeader();
    try {
      const { format, bytes } = await submission.open();
      const entries = this.reader.read(format, bytes, header, submission.options);
      const seen = { providers: new ListProviders(), addresses: new AddressCount() };
      await this.receive(caller, listId, entries, seen);
      seen.addresses.requireAddresses(header, submission.options);
      header.name ??= submission.name;
      header.refresh ??= submission.refresh;
      // A test key opens no connection.
      const separate = seen.providers.withRows(caller.mode === 'live' ? ADDRESSES_PER_CHUNK.live : Infinity);
      return await this.queue(caller, listId, seen.addresses, separate, header, submission.accepted);
    } catch (error) {
      // If this fails too, a sweep deletes it.
      await this.deletion.eraseSoon(listId).catch(() => undefined);
      throw error;
    }
  }

  /** Newest first. */
  list(
    caller: Principal,
    filter: Pick<JobFilter, 'status' | 'name'>,
    request: PageRequest,
  ): Promise<Page<BulkJob>> {
    const { retentionDays } = caller.rules;
    return this.jobs.list(caller, { ...filter, retentionDays, now: this.clock.now() }, request);
  }

  /** @throws NotFound when there is none, or it has expired. */
  async get(caller: Principal, id: string): Promise<BulkJob> {
    const job = await this.jobs.find(caller, id);
    const expiresAt = job?.expiresAt(caller.rules.retentionDays) ?? null;
    if (job === null || (expiresAt !== null && expiresAt <= this.clock.now())) throw new NotFound(NO_JOB);
    return job;
  }

  /** A job that has ended is not changed. @throws NotFound */
  async cancel(caller: Principal, id: string): Promise<BulkJob> {
    const { listId } = await this.get(caller, id);
    const job = await this.deletion.cancel(listId);
    if (job === null) throw new NotFound(NO_JOB);
    return job;
  }

  /** Completes its deferred rows with what is known. A job that has ended is not changed. @throws NotFound */
  async finish(caller: Principal, id: string): Promise<BulkJob> {
    const { listId } = await this.get(caller, id);
    await this.rechecks.closeAll(listId);
    return this.get(caller, id);
  }

  /** Deletes its addresses, results and facts; cancels it first. @throws NotFound */
  async delete(caller: Principal, id: string): Promise<void> {
    const { listId } = await this.get(caller, id);
    await this.deletion.eraseSoon(listId);
  }

  private begin(caller: Principal): Promise<BulkJob> {
    return this.work.run(async () => {
      await this.jobs.lockCreation(caller);
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
    if (receiving >= MAX_UPLOADS) throw new RateLimited(RETRY_AFTER_SECONDS, BUSY_UPLOADS);
    if (caller.mode === 'live' || caller.tier === 'unlimited') return;
    const nowMs = this.clock.now().getTime();
    const today = new Date(nowMs - (nowMs % DAY_MS));
    if ((await this.jobs.countSince(caller, today)) >= TEST.jobsADay)
      throw new DailyQuotaExceeded(Math.ceil((today.getTime() + DAY_MS - nowMs) / 1000));
    if (all > 0) throw new RateLimited(RETRY_AFTER_SECONDS, TEST_JOB);
  }

  private async requireShortQueue({ teamId }: Principal): Promise<void> {
    const { own, all } = await this.jobs.countWaiting(teamId);
    if (own >= MAX_WAITING_ROWS.own || all >= MAX_WAITING_ROWS.all) throw new QueueFull();
  }

  private async receive(
    caller: Principal,
    listId: ListId,
    entries: AsyncIterable<readonly ListEntry[]>,
    seen: SeenRows,
  ): Promise<void> {
    const max = this.tiers.bulkLimit(caller.tier, caller.mode);
    let staged = Promise.resolve();
    try {
      for await (const rows of inBatches(this.identified(entries, seen))) {
        if (seen.addresses.rows > max) throw new BulkTooLarge(max);
        // The next batch is read while one is stored.
        await staged;
        staged = this.slots.run(caller.teamId, () => this.lists.addRows(listId, rows));
        staged.catch(() => undefined);
      }
    } finally {
      // No row may be stored after the cleanup has started.
      await staged;
    }
  }

  /** Returns to the event loop between some rows: the batch before is written and other calls are served meanwhile. */
  private async *identified(
    entries: AsyncIterable<readonly ListEntry[]>,
    seen: SeenRows,
  ): AsyncGenerator<readonly ListRow[]> {
    let index = 0;
    for await (const piece of entries) {
      const rows: ListRow[] = [];
      for (const entry of piece) {
        rows.push(this.identify(entry, index++, seen));
        if (index % UNINTERRUPTED === 0) await setImmediate();
      }
      yield rows;
    }
  }

  private identify({ email, ref }: ListEntry, index: number, { providers, addresses }: SeenRows): ListRow {
    const text = truncated(email);
    if (isEmpty(text)) {
      addresses.addEmpty();
      return { index, hash: null, email: text, ref };
    }
    const { key, provider, isAddress } = this.addresses.locate(text);
    addresses.add(isAddress);
    if (provider !== null) providers.add(key, provider);
    return { index, hash: key, email: text, ref };
  }

  private async queue(
    caller: Principal,
    listId: ListId,
    { rows: total, empty }: AddressCount,
    providers: ReadonlyMap<string, string>,
    header: ListHeader,
    accepted: Submission['accepted'],
  ): Promise<BulkJob> {
    if (total === 0) throw new InvalidRequest([EMPTY], EMPTY.message);
    if (total === empty) throw new InvalidRequest([NO_ADDRESS], NO_ADDRESS.message);
    if (header.refresh === true && caller.mode === 'live') this.tiers.require(caller.tier, 'refresh');
    const perChunk = ADDRESSES_PER_CHUNK[caller.mode];
    const groups = await this.slots.run(caller.teamId, () =>
      this.lists.countAddresses(listId, total, perChunk, providers),
    );
    const addresses = groups.reduce((sum, group) => sum + group.addresses, 0);
    const chunks = chunksOf(groups, perChunk).map((chunk) =>
      // A test key opens no connection, so all processes may verify its chunks.
      caller.mode === 'test' ? { ...chunk, servers: null } : chunk,
    );
    return this.work.run(async () => {
      const job = await this.jobs.findForUpdate(listId);
      if (job?.state !== 'receiving') throw new Error('The upload took so long that it was given up');
      // Other lists may have been uploaded in the meantime.
      await this.requireShortQueue(caller);
      const charge = await this.usage.reserve(caller, addresses);
      Object.assign(job, header, { traceparent: this.tracing.traceparent() });
      job.queue({ total, empty, addresses }, chunks.length, charge, this.clock.now());
      await this.chunks.add(listId, chunks);
      await this.jobs.save(job);
      await this.audit.record({
        action: 'bulk.submitted',
        teamId: job.teamId,
        target: { type: 'bulk_job', id: job.id },
        details: { total, addresses },
      });
      await accepted(job);
      this.jobQueue.enqueueAfterCommit(job.teamId);
      return job;
    });
  }
}

const NO_JOB = 'There is no such bulk job.';
const EMPTY = { pointer: '/emails', code: 'too_small', message: 'Send at least one address.' };
const NO_ADDRESS = { pointer: '/emails', code: 'no_address', message: 'No row of the list has an address.' };
