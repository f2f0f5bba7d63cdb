import type { ListFormat, ListHeader, ListPiece } from '../../../../kernel/list-files/list-format.js';
import { bodyFormats, streamedBody } from '../../../../platform/http/body/streamed-body.js';
import type { AuthenticatedRequest } from '../../../../platform/http/request/request-log.js';
import { optionsOf } from '../../../../platform/list-files/csv.dto.js';
import { OTHER_FILES } from '../../../../platform/list-files/other-files.js';
import { readListInThread } from '../../../../platform/list-files/read-list-in-thread.js';
import type { ReaderThreads } from '../../../../platform/threads/reader-threads.js';
import type { Principal } from '../../../../kernel/principal.js';
import type { BulkQuery } from './bulk-submission.dto.js';
import type { ArrivingList } from './list-intake.service.js';

export const LIST_FORMATS = bodyFormats<ListFormat>(
  {
    json: 'the schema below',
    csv: 'delimiter, header and the column with the addresses are detected; the other columns are returned as `ref`',
    ndjson: 'one entry per line',
  },
  OTHER_FILES,
);

/** A request with a list. */
interface ListRequest {
  request: AuthenticatedRequest;
  query: BulkQuery;
  caller: Principal;
  maxBytes: number;
}

/**
 * The list in a body, which is opened when the first entries are asked for.
 *
 * @returns with it the SHA-256 of the body, after the list was read. @throws UnsupportedMediaType, UnknownCharset
 */
export function listIn(
  { request, query, caller, maxBytes }: ListRequest,
  threads: ReaderThreads,
): { list: ArrivingList; digest: () => Buffer } {
  const body = streamedBody(request, LIST_FORMATS, maxBytes);
  const isHeld = query.hold;
  const options = { ...optionsOf(query, body.charset), lines: isHeld };
  async function* pieces(): AsyncGenerator<ListPiece, void, undefined> {
    const { format, bytes } = await body.open();
    const reading = { team: caller.teamId, isKeyValid: request.isKeyValid, format, options };
    for await (const { entries, header } of readListInThread(threads, reading, bytes))
      yield { entries, header: withQuery(header, query) };
  }
  return { list: { pieces: pieces(), options, isHeld }, digest: body.digest };
}

/** Members of a JSON body take precedence. */
function withQuery(header: ListHeader, query: BulkQuery): ListHeader {
  return {
    ...header,
    name: header.name ?? query.name ?? null,
    refresh: header.refresh ?? query.refresh,
    maxAge: header.maxAge ?? query.max_age ?? null,
    notify: header.notify ?? query.notify ?? null,
    uniqueBy: header.uniqueBy ?? query.unique ?? null,
  };
}
