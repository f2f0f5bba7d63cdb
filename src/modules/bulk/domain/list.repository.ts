import type { ListId } from '../../../kernel/ids.js';
import type { Reason, Verdict } from '../../../kernel/verdict.js';
import type { AddressGroup, ChunkKeys, HashRange } from './hash-range.js';
import type { ListEntry, ListRow } from './list-entry.js';
import type { GroupRows } from './breakdown.js';
import type { AddressResult, ListedAddress } from './chunk.js';

/** A row with its result; null: none yet. */
export interface RowResult extends ListEntry {
  index: number;
  verdict: Verdict | null;
}

/** Port: the rows of lists, which are immutable, and the results of their addresses. */
export abstract class ListRepository {
  /** Adds rows in a transaction of its own, so that an upload holds none. */
  abstract stage(listId: ListId, rows: readonly ListRow[]): Promise<void>;

  /**
   * Counts the unique addresses: a large domain by itself, others in groups by provider, in the order of
   * their keys.
   *
   * @param total approximate number of rows.
   * @param perGroup the approximate size of a group; a domain with more addresses is large.
   * @param providers of domains, which are in hexadecimal.
   */
  abstract groupAddresses(
    listId: ListId,
    total: number,
    perGroup: number,
    providers: ReadonlyMap<string, string>,
  ): Promise<AddressGroup[]>;

  abstract addresses(listId: ListId, keys: HashRange | ChunkKeys): Promise<ListedAddress[]>;

  /** Those of the addresses that have no result. */
  abstract withoutResult(listId: ListId, addresses: readonly ListedAddress[]): Promise<ListedAddress[]>;

  /**
   * Stores each address once, within the open unit of work, and indexes its rows by reason.
   *
   * @throws when one of the addresses has a result.
   */
  abstract record(listId: ListId, results: readonly AddressResult[]): Promise<void>;

  /** The rows after the index, in input order. */
  abstract results(listId: ListId, after: number, limit: number): Promise<RowResult[]>;

  /** The rows with one of these reasons after the index, in input order. */
  abstract resultsByReason(
    listId: ListId,
    reasons: readonly Reason[],
    after: number,
    limit: number,
  ): Promise<RowResult[]>;

  /**
   * The rows after the index whose address contains the text, in upper or lower case, in input order.
   *
   * @param reasons null: any, or none yet.
   */
  abstract search(
    listId: ListId,
    text: string,
    reasons: readonly Reason[] | null,
    after: number,
    limit: number,
  ): Promise<RowResult[]>;

  /** The rows that have a verdict, by domain and reason; those of small domains together. */
  abstract countByDomain(listId: ListId): Promise<GroupRows[]>;

  /** The rows that have a verdict, by provider and reason, repeatedly for parts of the `total` rows. */
  abstract countByProvider(listId: ListId, total: number): Promise<GroupRows[]>;

  /**
   * Deletes some of the remaining rows.
   *
   * @returns the hashes of addresses that were probed; null: nothing was left.
   */
  abstract eraseSome(listId: ListId): Promise<Buffer[] | null>;
}
