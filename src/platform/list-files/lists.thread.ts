import type { ListFormat, ListHeader, ReadOptions } from '../../kernel/list-files/list-format.js';
import { packed, type PackedEntries } from './packed-entries.js';
import { readList } from './read-list.js';

interface ListReading {
  format: ListFormat;
  options: ReadOptions;
}

export interface ListBatch {
  entries: PackedEntries;
  /** null: as with the batch before. A list with many columns would copy them with each. */
  header: ListHeader | null;
}

/** Reads a list in a thread. */
export async function* read(
  bytes: AsyncIterable<Buffer>,
  { format, options }: ListReading,
): AsyncGenerator<ListBatch, void> {
  let before: ListHeader | null = null;
  for await (const { entries, header } of readList(format, bytes, options)) {
    yield { entries: packed(entries), header: header === before ? null : header };
    before = header;
  }
}
