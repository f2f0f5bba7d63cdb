import { append } from '../../../kernel/long-lists.js';
import { emptyHeader, type ListPiece, type ReadOptions } from '../../../kernel/list-files/list-format.js';
import type { Principal } from '../../../kernel/principal.js';
import { bodyFormats, streamedBody } from '../../../platform/http/body/streamed-body.js';
import type { AuthenticatedRequest } from '../../../platform/http/request/request-log.js';
import { readListInThread } from '../../../platform/list-files/read-list-in-thread.js';
import type { ReaderThreads } from '../../../platform/threads/reader-threads.js';
import { EVENTS, ignoredIn, OTHER_MEMBERS } from './request.dto.js';

const FORMATS = bodyFormats<'json'>({ json: 'an object with `input`' });
const OPTIONS: ReadOptions = { json: { list: 'input', others: OTHER_MEMBERS } };

/** The members of its bodies say nothing of our lists. */
const HEADER = { ...emptyHeader(), refresh: false };

interface InputRequest {
  request: AuthenticatedRequest;
  caller: Principal;
  maxBytes: number;
}

/**
 * The list in a body, which is opened when the first entries are asked for.
 *
 * @returns with it the names of members that are ignored, and the SHA-256 of the body, after the list was read.
 * @throws UnsupportedMediaType
 */
export function inputIn({ request, caller, maxBytes }: InputRequest, threads: ReaderThreads) {
  const body = streamedBody(request, FORMATS, maxBytes);
  const ignored: string[] = [];
  async function* pieces(): AsyncGenerator<ListPiece, void, undefined> {
    const { format, bytes } = await body.open();
    const { isKeyValid } = request;
    const reading = { team: caller.teamId, isKeyValid, format, options: OPTIONS };
    let others: Readonly<Record<string, unknown>> = {};
    for await (const { entries, header } of readListInThread(threads, reading, bytes)) {
      others = header.others ?? others;
      yield { entries, header: HEADER };
    }
    append(ignored, ignoredIn(others, EVENTS.bulk));
  }
  const list = { pieces: pieces(), options: OPTIONS, isHeld: false };
  return { list, ignored, digest: body.digest };
}
