import type { ListEntry } from './list-entry.js';

/** The formats of a list, with the extensions of files of a form. The route, the OpenAPI document and the readers derive from this table. */
export const LIST_FORMATS = {
  json: { contentType: 'application/json', extensions: ['json'], description: 'the schema below' },
  csv: {
    contentType: 'text/csv',
    extensions: ['csv', 'tsv', 'txt'],
    description: 'the column with the addresses is detected; the other columns are returned as `ref`',
  },
  ndjson: {
    contentType: 'application/x-ndjson',
    extensions: ['ndjson', 'jsonl'],
    description: 'one entry per line',
  },
} as const satisfies Record<
  string,
  { contentType: string; extensions: readonly string[]; description: string }
>;
export type ListFormat = keyof typeof LIST_FORMATS;

/** The metadata of a list; complete once it was read to its end. */
export interface ListHeader {
  name: string | null;
  /** null: not specified. */
  refresh: boolean | null;
  /** The columns of a CSV, in order. */
  columns: readonly string[] | null;
  /** Of a CSV. */
  delimiter: string | null;
}

export function emptyHeader(): ListHeader {
  return { name: null, refresh: null, columns: null, delimiter: null };
}

/** Port: parses a list as a stream, with constant memory. */
export abstract class ListReader {
  /**
   * The entries, in batches.
   *
   * @param body in UTF-8; a CSV also in UTF-16 with a byte order mark.
   * @param header is filled in while reading.
   * @param emailColumn the column of a CSV with the addresses; null: it is found.
   * @throws InvalidRequest with a pointer to the entry, MalformedList.
   */
  abstract read(
    format: ListFormat,
    body: AsyncIterable<Buffer>,
    header: ListHeader,
    emailColumn: string | null,
  ): AsyncIterable<readonly ListEntry[]>;
}
