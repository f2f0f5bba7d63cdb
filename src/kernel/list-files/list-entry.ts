import { isNoValue } from '../text/no-value.js';
import type { Verdict } from '../verdict.js';

/**
 * The cells of a row of a CSV in the order of its columns, with null in the place of the address, unless its cell
 * has more than that. Empty cells at the end may be missing. Without names, a row takes no more room than it took in
 * the upload.
 */
export type Cells = readonly (string | null)[];

/** One row of a list, as submitted. */
export interface ListEntry {
  /** At most 1,000 characters are stored. */
  email: string;
  /** Returned with the result: a text of the caller, or the other columns of a CSV. */
  ref: string | Cells | null;
  /** Where it begins, from 1, if `ListOptions.lines` asks for it and the format has lines. */
  line?: number;
}

/** A row with its result; null: none yet. */
export interface RowResult extends ListEntry {
  index: number;
  verdict: Verdict | null;
  /** The address of the row that has the same mailbox and comes first; absent: none, or the list is not `canonical`. */
  duplicateOf?: string;
}

/** Whether a row has nothing in the place of its address, or a text such as `NULL`: it gets no verdict, and costs nothing. */
export function isEmpty(email: string): boolean {
  return isNoValue(email);
}

/** The cells by the names of their columns, without the address. */
export function cellsByName(columns: readonly string[], cells: Cells): Readonly<Record<string, string>> {
  // Not by assignment, which would lose a column named `__proto__`.
  return Object.fromEntries(
    columns.flatMap((name, at) => (cells[at] === null ? [] : [[name, cells[at] ?? '']])),
  );
}
