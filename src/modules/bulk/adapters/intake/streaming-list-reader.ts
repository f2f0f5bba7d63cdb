import { Injectable } from '@nestjs/common';
import type { ListEntry } from '../../domain/list-entry.js';
import { ListReader, type ListFormat, type ListHeader, type ListOptions } from '../../domain/list-reader.js';
import { csvList } from './csv-list.js';
import { jsonList } from './json-list.js';
import { ndjsonList, ndjsonValues } from './ndjson-list.js';

const READERS = { json: jsonList, csv: csvList, ndjson: ndjsonList };

@Injectable()
export class StreamingListReader extends ListReader {
  read(
    format: ListFormat,
    body: AsyncIterable<Buffer>,
    header: ListHeader,
    options: ListOptions,
  ): AsyncIterable<readonly ListEntry[]> {
    return READERS[format](body, header, options);
  }

  async *values(body: AsyncIterable<Buffer>): AsyncGenerator<readonly unknown[]> {
    for await (const lines of ndjsonValues(body)) yield lines.map(({ value }) => value);
  }
}
