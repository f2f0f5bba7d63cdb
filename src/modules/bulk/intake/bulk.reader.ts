import type { Request } from 'express';
import type { ListEntry } from '../../../kernel/list-files/list-entry.js';
import { emptyHeader, type ListFormat } from '../../../kernel/list-files/list-format.js';
import { bodyFormats, streamedBody } from '../../../platform/http/body/streamed-body.js';
import { optionsOf } from '../../../platform/list-files/csv.dto.js';
import { OTHER_FILES } from '../../../platform/list-files/other-files.js';
import { readList } from '../../../platform/list-files/read-list.js';
import type { BulkQuery } from './bulk-submission.dto.js';
import type { ArrivingList } from './bulk-uploads.service.js';

export const LIST_FORMATS = bodyFormats<ListFormat>(
  {
    json: 'the schema below',
    csv: 'delimiter, header and the column with the addresses are detected; the other columns are returned as `ref`',
    ndjson: 'one entry per line',
  },
  OTHER_FILES,
);

/**
 * The list in a body, which is opened when the first entries are asked for.
 *
 * @returns with it the SHA-256 of the body, after the list was read. @throws UnsupportedMediaType, UnknownCharset
 */
export function listIn(
  request: Request,
  query: BulkQuery,
  maxBytes: number,
): { list: ArrivingList; digest: () => Buffer } {
  const body = streamedBody(request, LIST_FORMATS, maxBytes);
  const isHeld = query.hold;
  const options = { ...optionsOf(query, body.charset), lines: isHeld };
  const header = emptyHeader();
  async function* entries(): AsyncGenerator<readonly ListEntry[], void, undefined> {
    const { format, bytes } = await body.open();
    header.uniqueBy = query.unique ?? null;
    yield* readList(format, bytes, header, options);
    // Members of a JSON body take precedence.
    header.name ??= query.name ?? null;
    header.refresh ??= query.refresh;
    header.maxAge ??= query.max_age ?? null;
    header.notify ??= query.notify ?? null;
  }
  return { list: { entries: entries(), header, options, isHeld }, digest: body.digest };
}
