import { Injectable } from '@nestjs/common';
import { cellsByName } from './domain/list-entry.js';
import { emptyHeader, ListReader, type ListHeader, type ListOptions } from './domain/list-reader.js';

export type { ListOptions } from './domain/list-reader.js';

/** Reads lists that are not verified, by the same rules. */
@Injectable()
export class ListReadingService {
  constructor(private readonly reader: ListReader) {}

  /**
   * The rows of a CSV by the names of its columns in lower case; the address is `email`.
   *
   * @param charset of its content type. @throws MalformedList, UnknownCharset
   */
  async *records(
    bytes: AsyncIterable<Buffer>,
    options: ListOptions,
  ): AsyncGenerator<readonly Readonly<Record<string, string>>[]> {
    const header = emptyHeader();
    for await (const entries of this.reader.read('csv', bytes, header, options)) {
      const columns = (header.columns ?? []).map((name) => name.toLowerCase());
      yield entries.map(({ email, ref }) => {
        const cells = typeof ref === 'string' || ref === null ? {} : cellsByName(columns, ref);
        return { ...cells, email };
      });
    }
  }

  /** The columns of a CSV, and how it is read. @throws MalformedList */
  async header(bytes: AsyncIterable<Buffer>, options: ListOptions): Promise<ListHeader> {
    const header = emptyHeader();
    for await (const entries of this.reader.read('csv', bytes, header, options)) void entries;
    return header;
  }

  /** One JSON value per line. @throws MalformedList, InvalidRequest */
  values(bytes: AsyncIterable<Buffer>): AsyncIterable<readonly unknown[]> {
    return this.reader.values(bytes);
  }
}
