import { Injectable } from '@nestjs/common';
import { setImmediate } from 'node:timers/promises';
import { AuditLog } from '../../../kernel/audit-log.js';
import { Clock } from '../../../kernel/clock.js';
import type { ListId } from '../../../kernel/ids.js';
import { isEmpty, type ListEntry } from '../../../kernel/list-files/list-entry.js';
import type { ListHeader, ListOptions } from '../../../kernel/list-files/list-format.js';
import { InvalidRequest } from '../../../kernel/errors.js';
import { ListWarnings, type ListWarning } from '../../../kernel/list-files/list-warnings.js';
import type { Principal } from '../../../kernel/principal.js';
import { Tracing } from '../../../kernel/tracing.js';
import { UnitOfWork } from '../../../kernel/unit-of-work.js';
import { PreviewCounts } from '../../../engine/list-preview.js';
import { UsersService } from '../../teams/users.service.js';
import { TiersService } from '../../tiers/tiers.service.js';
import { UsageService } from '../../usage/usage.service.js';
import { AddressFactsService } from '../../verification/address-facts.service.js';
import { BulkTooLarge } from '../domain/bulk.errors.js';
import { BulkJob, type ListSize } from '../domain/bulk-job.js';
import { BulkJobRepository } from '../domain/bulk-job.repository.js';
import { ADDRESSES_PER_CHUNK, chunksOf, ListProviders, type ChunkKeys } from '../domain/hash-range.js';
import { inBatches, type ListRow } from '../domain/list-row.js';
import { BulkSlots, ListRepository } from '../domain/list.repository.js';
import { BulkQueue } from '../domain/bulk-queue.js';
import { ChunkRepository } from '../domain/chunk.repository.js';
import { PreviewRepository } from '../domain/preview.repository.js';
import { ListErasureService } from '../jobs/list-erasure.service.js';
import { ListMailsService } from '../work/list-mails.service.js';
import { identify, newSeenRows, type Locate, type SeenRows } from './seen-rows.js';
import { ListRoomService } from './list-room.service.js';

/** A list that is being sent. */
export interface ArrivingList {
  /** Nothing is read before they are asked for. */
  entries: AsyncIterable<readonly ListEntry[]>;
  /** Complete when the entries were read. */
  header: ListHeader;
  /** How it is read. */
  options: ListOptions;
  /** Whether it waits for its start. */
  isHeld: boolean;
}

/** A list whose rows are stored, under a hidden job. */
export interface Upload {
  listId: ListId;
  header: ListHeader;
  size: ListSize;
  chunks: readonly ChunkKeys[];
  /** Of a list that is held; null: it is queued. */
  warnings: ListWarning[] | null;
}

/** Room for an address and its ref, in the raw body. */
const BYTES_PER_ROW = 512;
const MIN_BYTES = 1_000_000;
/** A list that is only looked at, also where the tier has no lists. */
const MIN_HELD_ROWS = 10_000;
const TEST_RETENTION_DAYS = 1;
const ALL_ROWS = { reasons: null, text: null, isDistinct: false };
/** Rows that are read at once to change their keys; their other columns are read too. */
const READ_AT_ONCE = { rows: 1_000, bytes: 4_000_000, bytesPerRow: 0 };
/** Rows that are identified without a return to the event loop. */
const UNINTERRUPTED = 250;

/** Receives lists, and queues their jobs. */
@Injectable()
export class BulkUploadsService {
  constructor(
    private readonly jobs: BulkJobRepository,
    private readonly lists: ListRepository,
    private readonly chunks: ChunkRepository,
    private readonly previews: PreviewRepository,
    private readonly room: ListRoomService,
    private readonly addresses: AddressFactsService,
    private readonly usage: UsageService,
    private readonly tiers: TiersService,
    private readonly erasure: ListErasureService,
    private readonly mails: ListMailsService,
    private readonly users: UsersService,
    private readonly jobQueue: BulkQueue,
    private readonly slots: BulkSlots,
    private readonly audit: AuditLog,
    private readonly tracing: Tracing,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Maximum body size of this caller in bytes. */
  maxBytes(caller: Principal, isHeld: boolean): number {
    return Math.max(this.maxRows(caller, isHeld) * BYTES_PER_ROW, MIN_BYTES);
  }

  /**
   * Stores the rows of a list while they arrive, under a hidden job, so that a slow upload holds no
   * transaction. A refused or interrupted upload leaves nothing.
   *
   * @throws InvalidRequest, MalformedList, BulkTooLarge, UpgradeRequired, RateLimited, DailyQuotaExceeded, QueueFull,
   * TooManyHeldLists
   */
  async receive(caller: Principal, list: ArrivingList): Promise<Upload> {
    // A suspended team may not even look.
    if (list.isHeld) this.tiers.requireNotSuspended(caller.tier);
    const { listId } = await this.begin(caller, list.isHeld);
    try {
      return await this.store(caller, listId, list);
    } catch (error) {
      await this.discard(listId);
      throw error;
    }
  }

  /**
   * Makes the job of an upload visible, and queues or holds it, within the open unit of work. If it is refused, the
   * caller discards the upload.
   *
   * @param scheduleId whose run it is; null: it was submitted. @throws DailyQuotaExceeded, QueueFull, TooManyHeldLists
   */
  async accept(caller: Principal, upload: Upload, scheduleId: string | null = null): Promise<BulkJob> {
    const { listId, header, size, chunks } = upload;
    if (upload.warnings !== null) await this.jobs.lockCreation(caller);
    const job = await this.jobs.findForUpdate(listId);
    if (job?.state !== 'receiving') throw new Error('The upload took so long that it was given up');
    const uniqueBy = header.uniqueBy ?? 'address';
    Object.assign(job, header, { scheduleId, uniqueBy, traceparent: this.tracing.traceparent() });
    if (upload.warnings === null) await this.queue(caller, job, upload);
    else await this.hold(caller, job, upload, upload.warnings);
    await this.chunks.add(listId, chunks);
    await this.jobs.save(job);
    await this.audit.record({
      action: job.isHeld ? 'bulk.held' : 'bulk.submitted',
      teamId: job.teamId,
      target: { type: 'bulk_job', id: job.id },
      details: { total: size.total, addresses: size.addresses },
    });
    this.jobQueue.enqueueAfterCommit(job.teamId);
    return job;
  }

  /** Deletes an upload that was not accepted. If that fails, a sweep deletes it. */
  async discard(listId: ListId): Promise<void> {
    await this.erasure.eraseInRequest(listId).catch(() => undefined);
  }

  private async queue(caller: Principal, job: BulkJob, { size, chunks }: Upload): Promise<void> {
    // Other lists may have been uploaded in the meantime.
    await this.room.requireShortQueue(caller);
    const charge = await this.usage.reserve(caller, size.addresses);
    job.queue(size, chunks.length, charge, this.clock.now());
  }

  private async hold(
    caller: Principal,
    job: BulkJob,
    { size, chunks }: Upload,
    warnings: ListWarning[],
  ): Promise<void> {
    await this.room.requireHold(caller);
    const now = this.clock.now();
    job.hold(size, chunks.length, now);
    await this.previews.add(job.listId, job.teamId, now, PreviewCounts.of(warnings));
  }

  private begin(caller: Principal, isHeld: boolean): Promise<BulkJob> {
    return this.work.run(async () => {
      await this.jobs.lockCreation(caller);
      await this.room.requireUpload(caller);
      if (isHeld) await this.room.requireHold(caller);
      else await this.room.requireShortQueue(caller);
      const days = caller.mode === 'test' ? TEST_RETENTION_DAYS : caller.rules.retentionDays;
      const { teamId, mode, userId } = caller;
      // A key may be cached for some seconds after its user was deleted.
      const creator = userId === null ? null : await this.users.get(userId);
      const job = new BulkJob(teamId, mode, days, this.clock.now(), creator?.id ?? null);
      await this.jobs.add(job);
      return job;
    });
  }

  private maxRows({ tier, mode }: Principal, isHeld: boolean): number {
    return Math.max(this.tiers.bulkLimit(tier, mode), isHeld ? MIN_HELD_ROWS : 0);
  }

  private async store(
    caller: Principal,
    listId: ListId,
    { entries, header, options, isHeld }: ArrivingList,
  ): Promise<Upload> {
    const warnings = isHeld ? new ListWarnings() : null;
    const seen = newSeenRows(header, warnings);
    await this.storeRows(caller, listId, { entries, header }, seen, this.maxRows(caller, isHeld));
    if (header.uniqueBy === 'canonical' && seen.keyedBy === 'address')
      await this.changeKeys(caller, listId, seen.providers);
    const { rows: total, empty } = seen.addresses;
    seen.addresses.requireAddresses(header, options);
    if (total === 0) throw new InvalidRequest([EMPTY], EMPTY.message);
    if (total === empty) throw new InvalidRequest([NO_ADDRESS], NO_ADDRESS.message);
    const { mode, tier, teamId } = caller;
    const maxAge = header.refresh === true ? 0 : header.maxAge;
    if (mode === 'live') this.tiers.requireMaxAge(tier, maxAge);
    if (header.notify !== null) await this.mails.requireMailable(caller.userId);
    const perChunk = ADDRESSES_PER_CHUNK[mode];
    // A test key opens no connection.
    const providers = seen.providers.withRows(mode === 'live' ? perChunk : Infinity);
    const groups = await this.slots.run(teamId, () =>
      this.lists.countAddresses(listId, total, perChunk, providers),
    );
    const addresses = groups.reduce((sum, group) => sum + group.addresses, 0);
    // All processes may verify its chunks.
    const chunks = chunksOf(groups, perChunk).map((chunk) =>
      mode === 'test' ? { ...chunk, servers: null } : chunk,
    );
    const size = { total, empty, addresses };
    return { listId, header, size, chunks, warnings: warnings?.list() ?? null };
  }

  private async storeRows(
    caller: Principal,
    listId: ListId,
    list: Pick<ArrivingList, 'entries' | 'header'>,
    seen: SeenRows,
    max: number,
  ): Promise<void> {
    let stored = Promise.resolve();
    try {
      for await (const rows of inBatches(this.identified(caller, list, seen))) {
        if (seen.addresses.rows > max) throw new BulkTooLarge(max);
        // The next batch is read while one is stored.
        await stored;
        stored = this.slots.run(caller.teamId, () => this.lists.addRows(listId, rows));
        stored.catch(() => undefined);
      }
    } finally {
      // No row may be stored after the cleanup has started.
      await stored;
    }
  }

  /** Returns to the event loop between some rows: the batch before is written and other calls are served meanwhile. */
  private async *identified(
    { teamId }: Principal,
    { entries, header }: Pick<ArrivingList, 'entries' | 'header'>,
    seen: SeenRows,
  ): AsyncGenerator<readonly ListRow[]> {
    let index = 0;
    let locate: Locate | null = null;
    for await (const piece of entries) {
      const rows: ListRow[] = [];
      for (const entry of piece) {
        seen.keyedBy ??= header.uniqueBy ?? 'address';
        locate ??= await this.addresses.locator(teamId, seen.keyedBy);
        rows.push(identify(entry, index++, locate, seen));
        if (index % UNINTERRUPTED === 0) await setImmediate();
      }
      yield rows;
    }
  }

  /** Gives rows the keys of their mailboxes: a JSON body may say after its addresses what is unique. */
  private async changeKeys({ teamId }: Principal, listId: ListId, providers: ListProviders): Promise<void> {
    const locate = await this.addresses.locator(teamId, 'canonical');
    const ofRow = ({ index, email }: ListEntry & { index: number }) => {
      if (isEmpty(email)) return [];
      const { addressKey, provider } = locate(email);
      if (addressKey === this.addresses.locate(email).addressKey) return [];
      if (provider !== null) providers.add(addressKey, provider);
      return { index, addressKey };
    };
    const change = async (after: number): Promise<number | null> => {
      const { rows, hasMore } = await this.lists.listResults(listId, ALL_ROWS, after, READ_AT_ONCE);
      await this.lists.changeKeys(listId, rows.flatMap(ofRow));
      return hasMore ? (rows.at(-1)?.index ?? null) : null;
    };
    let after: number | null = -1;
    while (after !== null) {
      const last: number = after;
      after = await this.slots.run(teamId, () => change(last));
    }
  }
}

const EMPTY = { pointer: '/emails', code: 'too_small', message: 'Send at least one address.' };
const NO_ADDRESS = { pointer: '/emails', code: 'no_address', message: 'No row of the list has an address.' };
