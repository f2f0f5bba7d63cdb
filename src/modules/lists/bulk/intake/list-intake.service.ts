import { Injectable } from '@nestjs/common';
import { setImmediate } from 'node:timers/promises';
import type { ListId } from '../../../../kernel/ids.js';
import { isEmpty, type ListEntry } from '../../../../kernel/list-files/list-entry.js';
import type { ListHeader, ListOptions, ListPiece } from '../../../../kernel/list-files/list-format.js';
import { InvalidRequest } from '../../../../kernel/errors.js';
import { ListWarnings, type ListWarning } from '../../../../kernel/list-files/list-warnings.js';
import type { Principal } from '../../../../kernel/principal.js';
import { AddressFactsService } from '../../../verification/verification/facts/address-facts.service.js';
import { BulkTooLarge } from '../domain/bulk.errors.js';
import type { BulkJob, ListSize } from '../domain/bulk-job.js';
import { ADDRESSES_PER_CHUNK, chunksOf, ListProviders, type ChunkKeys } from '../domain/hash-range.js';
import { inBatches, type ListRow } from '../domain/list-row.js';
import { BulkSlots, ListRepository } from '../domain/list.repository.js';
import { ChunkRepository } from '../domain/chunk.repository.js';
import { ListErasureService } from '../jobs/list-erasure.service.js';
import { HeldListsService } from './held-lists.service.js';
import { ListAdmissionService } from './list-admission.service.js';
import { ListRoomService } from './list-room.service.js';
import { identify, newSeenRows, type ListKeyOf, type SeenRows } from './seen-rows.js';

/** A list that is being sent. */
export interface ArrivingList {
  /** Nothing is read before they are asked for. */
  pieces: AsyncIterable<ListPiece>;
  /** How it is read. */
  options: ListOptions;
  /** Whether it waits for its start. */
  isHeld: boolean;
}

/** A list whose rows are stored, under a hidden job. */
export interface StagedList {
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
const ALL_ROWS = { reasons: null, text: null, isDistinct: false };
/** Rows that are read at once to change their keys; their other columns are read too. */
const READ_AT_ONCE = { rows: 1_000, bytes: 4_000_000, bytesPerRow: 0 };
/** Rows that are identified without a return to the event loop. */
const UNINTERRUPTED = 250;

/** Receives lists: their rows become a staged list, and that a job. */
@Injectable()
export class ListIntakeService {
  constructor(
    private readonly room: ListRoomService,
    private readonly admission: ListAdmissionService,
    private readonly held: HeldListsService,
    private readonly lists: ListRepository,
    private readonly chunks: ChunkRepository,
    private readonly addresses: AddressFactsService,
    private readonly slots: BulkSlots,
    private readonly erasure: ListErasureService,
  ) {}

  /** Maximum body size of this caller in bytes. */
  maxBytes(caller: Principal, isHeld: boolean): number {
    return Math.max(this.room.maxRows(caller, isHeld) * BYTES_PER_ROW, MIN_BYTES);
  }

  /**
   * Stores the rows of a list while they arrive, under a hidden job, so that a slow upload holds no
   * transaction. A refused or interrupted upload leaves nothing.
   *
   * @throws InvalidRequest, MalformedList, BulkTooLarge, UpgradeRequired, RateLimited, DailyQuotaExceeded, QueueFull,
   * TooManyHeldLists
   */
  async receive(caller: Principal, list: ArrivingList): Promise<StagedList> {
    const { listId } = await this.room.open(caller, list.isHeld);
    const seen = newSeenRows(list.isHeld ? new ListWarnings() : null);
    try {
      return await this.stage(caller, listId, list, seen);
    } catch (error) {
      await this.discard(listId, seen.stored);
      throw error;
    }
  }

  /**
   * Makes the job of a staged list visible, and queues or holds it, within the open unit of work. If it is refused, the
   * caller discards the list.
   *
   * @param scheduleId whose run it is; null: it was submitted. @throws what `ListAdmissionService.admit` throws,
   * TooManyHeldLists
   */
  async accept(caller: Principal, staged: StagedList, scheduleId: string | null = null): Promise<BulkJob> {
    const { listId, header, size, chunks, warnings } = staged;
    const job = await this.admission.lock(caller, listId);
    if (job?.state !== 'receiving') throw new Error('The upload took so long that it was given up');
    job.describe(header);
    job.measure(size, chunks.length);
    job.scheduleId = scheduleId;
    await this.chunks.add(listId, chunks);
    if (warnings === null) await this.admission.admit(caller, job);
    else await this.held.hold(caller, job, warnings);
    return job;
  }

  /**
   * Deletes a staged list that was not accepted. If that fails, a sweep deletes it.
   *
   * @param storedRows what it has cost.
   */
  async discard(listId: ListId, storedRows: number): Promise<void> {
    await this.erasure.eraseInRequest(listId, storedRows).catch(() => undefined);
  }

  private async stage(
    caller: Principal,
    listId: ListId,
    { pieces, options, isHeld }: ArrivingList,
    seen: SeenRows,
  ): Promise<StagedList> {
    await this.storeRows(caller, listId, pieces, seen, this.room.maxRows(caller, isHeld));
    const { header } = seen;
    if (header.uniqueBy === 'canonical' && seen.keyedBy === 'address')
      await this.changeKeys(caller, listId, seen.providers);
    const { rows: total, empty } = seen.addresses;
    seen.addresses.requireAddresses(header, options);
    if (total === 0) throw new InvalidRequest([EMPTY], EMPTY.message);
    if (total === empty) throw new InvalidRequest([NO_ADDRESS], NO_ADDRESS.message);
    await this.admission.requireOptions(caller, header);
    const { mode, teamId } = caller;
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
    return { listId, header, size, chunks, warnings: seen.warnings?.list(header) ?? null };
  }

  private async storeRows(
    caller: Principal,
    listId: ListId,
    pieces: AsyncIterable<ListPiece>,
    seen: SeenRows,
    max: number,
  ): Promise<void> {
    let stored = Promise.resolve();
    try {
      for await (const rows of inBatches(this.identified(caller, pieces, seen))) {
        if (seen.addresses.rows > max) throw new BulkTooLarge(max);
        // The next batch is read while one is stored.
        await stored;
        stored = this.slots
          .run(caller.teamId, () => this.lists.addRows(listId, rows))
          .then(() => void (seen.stored += rows.length));
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
    pieces: AsyncIterable<ListPiece>,
    seen: SeenRows,
  ): AsyncGenerator<readonly ListRow[]> {
    let index = 0;
    let listKeyOf: ListKeyOf | null = null;
    for await (const { entries, header } of pieces) {
      seen.header = header;
      const rows: ListRow[] = [];
      for (const entry of entries) {
        seen.keyedBy ??= header.uniqueBy ?? 'address';
        listKeyOf ??= await this.addresses.listKeys(teamId, seen.keyedBy);
        rows.push(identify(entry, index++, listKeyOf, seen));
        if (index % UNINTERRUPTED === 0) await setImmediate();
      }
      yield rows;
    }
  }

  /** Gives rows the keys of their mailboxes: a JSON body may say after its addresses what is unique. */
  private async changeKeys({ teamId }: Principal, listId: ListId, providers: ListProviders): Promise<void> {
    const listKeyOf = await this.addresses.listKeys(teamId, 'canonical');
    const ofRow = ({ index, email }: ListEntry & { index: number }) => {
      if (isEmpty(email)) return [];
      const { addressKey, provider } = listKeyOf(email);
      if (addressKey === this.addresses.listKey(email).addressKey) return [];
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
