import type { ListEntry } from './list-entry.js';

export const LIST_FORMATS = ['json', 'csv', 'ndjson'] as const;
export type ListFormat = (typeof LIST_FORMATS)[number];

/** What a list says of itself beside its entries; known once it was read to its end. */
export interface ListHeader {
  name: string | null;
  /** null: it does not say. */
  refresh: boolean | null;
  /** The columns of a CSV, in their order. */
  columns: readonly string[] | null;
}

export function anEmptyHeader(): ListHeader {
  return { name: null, refresh: null, columns: null };
}

/** Port: reads a list while it comes in, so that neither its length nor its slowness costs memory. */
export abstract class ListReader {
  /**
   * The entries, some at a time.
   *
   * @param body in UTF-8.
   * @param header is filled in on the way.
   * @throws InvalidRequest naming the entry that is wrong, MalformedList.
   */
  abstract read(
    format: ListFormat,
    body: AsyncIterable<Buffer>,
    header: ListHeader,
  ): AsyncIterable<readonly ListEntry[]>;
}
