import { InvalidRequest } from '../../kernel/errors.js';
import { MalformedList } from '../../kernel/list-files/list-file.errors.js';
import {
  emptyHeader,
  type ListFormat,
  type ListPiece,
  type ReadOptions,
} from '../../kernel/list-files/list-format.js';
import { bodyReader } from '../threads/body-reader.js';
import type { ReaderThreads, Reading } from '../threads/reader-threads.js';
import { unpacked } from './packed-entries.js';

const LISTS = bodyReader<typeof import('./lists.thread.js')>(import.meta.resolve('./lists.thread.js'), [
  InvalidRequest,
  MalformedList,
]);

interface ListReading extends Omit<Reading<never>, 'options'> {
  format: ListFormat;
  options: ReadOptions;
}

/** `readList` for a body that a stranger sends. @throws what that throws, and what `ReaderThreads.read` throws. */
export async function* readListInThread(
  threads: ReaderThreads,
  { format, options, ...reading }: ListReading,
  bytes: AsyncIterable<Buffer>,
): AsyncGenerator<ListPiece, void, undefined> {
  const given = { ...reading, options: { format, options } };
  let header = emptyHeader();
  for await (const batch of threads.read(LISTS, given, bytes)) {
    header = batch.header ?? header;
    yield { entries: unpacked(batch.entries), header };
  }
}
