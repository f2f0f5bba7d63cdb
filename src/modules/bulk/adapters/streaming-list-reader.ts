import type { ListEntry } from '../domain/list-entry.js';
import { ListReader, type ListFormat, type ListHeader } from '../domain/list-reader.js';
import { csvList } from './csv-list.js';
import { jsonList } from './json-list.js';
import { ndjsonList } from './ndjson-list.js';

export class StreamingListReader extends ListReader {
  read(
    format: ListFormat,
    body: AsyncIterable<Buffer>,
    header: ListHeader,
  ): AsyncIterable<readonly ListEntry[]> {
    switch (format) {
      case 'json':
        return jsonList(body, header);
      case 'csv':
        return csvList(body, header);
      case 'ndjson':
        return ndjsonList(body);
    }
  }
}
