import { cellsByName, type ListEntry } from '../../kernel/list-files/list-entry.js';
import {
  emptyHeader,
  type ListFormat,
  type ListHeader,
  type ListOptions,
} from '../../kernel/list-files/list-format.js';
import { csvList } from './csv-list.js';
import { jsonList } from './json-list.js';
import { ndjsonList } from './ndjson-list.js';

const READERS = { json: jsonList, csv: csvList, ndjson: ndjsonList };

/**
 * The entries of a list, in batches, while it arrives.
 *
 * @param body in UTF-8; a CSV in any of `ENCODINGS`.
 * @param header is filled in while reading; the columns are complete at the end.
 * @throws InvalidRequest with a pointer to the entry, MalformedList.
 */
export function readList(
  format: ListFormat,
  body: AsyncIterable<Buffer>,
  header: ListHeader,
  options: ListOptions,
): AsyncIterable<readonly ListEntry[]> {
  return READERS[format](body, header, options);
}

/** The rows of a CSV by the names of its columns in lower case; the address is `email`. @throws MalformedList */
export async function* csvRecords(
  body: AsyncIterable<Buffer>,
  options: ListOptions,
): AsyncGenerator<readonly Readonly<Record<string, string>>[]> {
  const header = emptyHeader();
  for await (const entries of csvList(body, header, options)) {
    const columns = (header.columns ?? []).map((name) => name.toLowerCase());
    yield entries.map(({ email, ref }) => {
      const cells = typeof ref === 'string' || ref === null ? {} : cellsByName(columns, ref);
      return { ...cells, email };
    });
  }
}
