import { cellsByName } from '../../kernel/list-files/list-entry.js';
import type { ListFormat, ListOptions, ListPiece, ReadOptions } from '../../kernel/list-files/list-format.js';
import { csvList } from './csv-list.js';
import { jsonList } from './json-list.js';
import { ndjsonList } from './ndjson-list.js';

const READERS = { json: jsonList, csv: csvList, ndjson: ndjsonList };

/**
 * The entries of a list, in pieces, while it arrives.
 *
 * @param body in UTF-8; a CSV in any of `ENCODINGS`.
 * @throws InvalidRequest with a pointer to the entry, MalformedList.
 */
export function readList(
  format: ListFormat,
  body: AsyncIterable<Buffer>,
  options: ReadOptions,
): AsyncIterable<ListPiece> {
  return READERS[format](body, options);
}

/** The rows of a CSV by the names of its columns in lower case; the address is `email`. @throws MalformedList */
export async function* csvRecords(
  body: AsyncIterable<Buffer>,
  options: ListOptions,
): AsyncGenerator<readonly Readonly<Record<string, string>>[]> {
  for await (const { entries, header } of csvList(body, options)) {
    const columns = (header.columns ?? []).map((name) => name.toLowerCase());
    yield entries.map(({ email, ref }) => {
      const cells = typeof ref === 'string' || ref === null ? {} : cellsByName(columns, ref);
      return { ...cells, email };
    });
  }
}
