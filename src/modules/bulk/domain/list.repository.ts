import type { Reason, Verdict } from '../../../kernel/verdict.js';
import type { HashRange } from './hash-range.js';
import type { ListEntry, ListRow } from './list-entry.js';
import type { AddressResult, ListedAddress } from './chunk.js';

/** A row with its result; null: there is none yet. */
export interface RowResult extends ListEntry {
  index: number;
  verdict: Verdict | null;
}

/** Port: the rows of lists, which never change once they are there, and the results of their addresses. */
export abstract class ListRepository {
  /** Adds rows; committed by itself, so that an upload holds no transaction. */
  abstract stage(list: string, rows: readonly ListRow[]): Promise<void>;

  /** How many addresses the list has; spellings of one count once. @param total its rows, about. */
  abstract countAddresses(list: string, total: number): Promise<number>;

  abstract addresses(list: string, range: HashRange): Promise<ListedAddress[]>;

  /** Each address once; part of the open unit of work. @throws when one of them has a result. */
  abstract record(list: string, results: readonly AddressResult[]): Promise<void>;

  /** In input order, those after the index. */
  abstract results(list: string, after: number, limit: number): Promise<RowResult[]>;

  /** Of the rows with one of these reasons, in input order, those after the index; of a list that is indexed. */
  abstract resultsByReason(
    list: string,
    reasons: readonly Reason[],
    after: number,
    limit: number,
  ): Promise<RowResult[]>;

  /** The same of a list that is not indexed: reads every row of the range, the second index not included. */
  abstract scanByReason(
    list: string,
    reasons: readonly Reason[],
    range: { after: number; before: number },
    limit: number,
  ): Promise<RowResult[]>;

  /**
   * Erases some of what is left.
   *
   * @returns the hashes of addresses for which the network was asked; null: nothing was left.
   */
  abstract eraseSome(list: string): Promise<Buffer[] | null>;
}
