import { FairSemaphore } from '../../../../kernel/concurrency/fair-semaphore.js';
import type { ListId } from '../../../../kernel/ids.js';
import type { UniqueBy } from '../../../../kernel/list-files/list-format.js';
import type { RowResult } from '../../../../kernel/list-files/list-entry.js';
import type { Reason, Verdict } from '../../../../kernel/verdict.js';
import type { BreakdownBy, GroupRows } from './breakdown.js';
import type { AddressGroup, ChunkKeys, HashRange } from './hash-range.js';
import type { ListRow } from './list-row.js';
import type { ResultRoom } from './result-room.js';

/** A list, and what its keys identify. */
export interface KeyedList {
  listId: ListId;
  uniqueBy: UniqueBy;
}

/** An address of a list and the number of its rows. */
export interface ListedAddress {
  /** `ListKey.addressKey`. */
  addressKey: Buffer;
  /** As spelled in its first row. */
  email: string;
  rows: number;
  /** The index of its first row; null: not known. */
  firstRow: number | null;
}

/** The verdict of an address. */
export interface AddressResult extends ListedAddress {
  verdict: Verdict;
  /** The network was probed for it. */
  probed: boolean;
}

export interface RowFilter {
  /** Only rows with one of these; null: any, or no verdict yet. */
  reasons: readonly Reason[] | null;
  /** Only rows whose address contains this text, in upper or lower case; null: any. */
  text: string | null;
  /** Only the first row of each address. */
  isDistinct: boolean;
}

/** Some rows of a list. */
export interface ResultRows {
  rows: RowResult[];
  /** Whether others come after them. */
  hasMore: boolean;
}

/** Port: the rows of lists, which are immutable once they are counted, and the results of their addresses. */
export abstract class ListRepository {
  /** In a transaction of its own, so that an upload holds none. */
  abstract addRows(listId: ListId, rows: readonly ListRow[]): Promise<void>;

  /** Gives rows other keys, before they are counted. */
  abstract changeKeys(listId: ListId, rows: readonly { index: number; addressKey: string }[]): Promise<void>;

  /**
   * Counts the unique addresses: a large domain by itself, others in groups by provider, in the order of
   * their keys.
   *
   * @param total approximate number of rows.
   * @param perGroup the approximate size of a group; a domain with more addresses is large.
   * @param providers of domains, which are in hexadecimal.
   */
  abstract countAddresses(
    listId: ListId,
    total: number,
    perGroup: number,
    providers: ReadonlyMap<string, string>,
  ): Promise<AddressGroup[]>;

  abstract listAddresses(listId: ListId, keys: HashRange | ChunkKeys): Promise<ListedAddress[]>;

  /** Those of the addresses that have no result. */
  abstract listWithoutResult(listId: ListId, addresses: readonly ListedAddress[]): Promise<ListedAddress[]>;

  /**
   * Stores each address once, within the open unit of work, and indexes its rows by reason.
   *
   * @throws when one of the addresses has a result.
   */
  abstract addResults(list: KeyedList, results: readonly AddressResult[]): Promise<void>;

  /** The rows after the index, in input order: as many as there is room for, at least one. */
  abstract listResults(
    listId: ListId,
    filter: RowFilter,
    after: number,
    room: ResultRoom,
  ): Promise<ResultRows>;

  /**
   * Counts the rows that have a verdict by reason and domain or provider: repeatedly for parts of the `total` rows,
   * and those of small domains together.
   */
  abstract countGroups(listId: ListId, by: BreakdownBy, total: number): Promise<GroupRows[]>;

  /**
   * Deletes some of the remaining rows.
   *
   * @returns the `addressHash` of each address that was probed, or in a list by mailbox the address itself; null:
   * nothing was left.
   */
  abstract deleteSome(list: KeyedList): Promise<(Buffer | string)[] | null>;

  /** The lists among these that contain an address. @param addressKey `ListKey.addressKey`. */
  abstract listHolding(listIds: readonly ListId[], addressKey: Buffer): Promise<ListId[]>;

  /**
   * Deletes an address, its ref and its verdict from these lists; the rows stay, empty. @returns the
   * number of rows.
   */
  abstract deleteAddress(listIds: readonly ListId[], addressKey: Buffer): Promise<number>;
}

/**
 * Database connections that requests about lists may use in this process, fairly by team: submissions,
 * results and deletions are expensive, and the other connections (of ten) serve the look-ups of every request.
 */
export class BulkSlots extends FairSemaphore {
  constructor() {
    super({ total: 4, perKey: 2 });
  }
}
