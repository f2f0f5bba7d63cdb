import { mediaTypeOf } from '../../../../platform/http/body/media-type.js';
import { encodingOf } from '../../../../platform/list-files/list-charset.js';
import { readListInThread } from '../../../../platform/list-files/read-list-in-thread.js';
import type { ReaderThreads } from '../../../../platform/threads/reader-threads.js';
import type { ListFormat, ListPiece } from '../../../../kernel/list-files/list-format.js';
import type { TeamId } from '../../../../kernel/principal.js';
import { RequestTimeout } from '../../../../platform/http/problems/problems.js';
import { RunFailure } from '../domain/failure.js';
import type {
  ListFault,
  OpenedList,
  SourcePiece,
  SourcePlace,
  WrittenCounts,
} from '../domain/list-source.js';
import type { UrlSource } from '../domain/schedule.js';
import type { OwnedSource, SourceAdapter } from './source-adapter.js';
import { atItsRate, requireOk, SourceBytes, type SourceRequests } from './source-requests.js';

const NDJSON_TYPES = [
  'application/x-ndjson',
  'application/ndjson',
  'application/jsonl',
  'application/x-jsonlines',
];
/** A page to sign in, and a workbook, are no lists. */
const OTHER_TYPES =
  /^(text\/html|application\/(xhtml\+xml|xml|json|pdf|zip|gzip|x-gzip)|application\/vnd\..*|image\/.*)$/;
/** Of a type that is named in a failure. */
const MAX_TYPE_LENGTH = 100;

/** A page that says that it is something else. A byte order mark may be before it. */
const PAGE = /^[^<\w]*<(!doctype|html|head|body|\?xml)\b/i;
const MARKUP_BYTES = 1_000;
/** A file says nothing about its rows. */
const NO_FACTS = { total: null, lists: null };

/** The file of a URL, which is read in a thread. Nothing is written to it. */
export class UrlFile implements SourceAdapter<UrlSource> {
  constructor(
    private readonly requests: SourceRequests,
    private readonly threads: ReaderThreads,
  ) {}

  /** @throws RunFailure */
  async open(
    { source, secret, team }: OwnedSource<UrlSource> & { team: TeamId },
    _place: null | SourcePlace,
    signal: AbortSignal,
  ): Promise<OpenedList> {
    const target = new URL(source.url);
    const accepted = { accept: 'text/csv, application/x-ndjson, */*;q=0.5' };
    const reply = await this.requests.open(
      { url: target, headers: { ...accepted, ...secret.values } },
      signal,
    );
    requireOk(reply);
    if (Number(reply.headers['content-length'] ?? 0) > this.requests.limits.bytes) {
      reply.close();
      throw new RunFailure('too_large');
    }
    const { type, charset } = mediaTypeOf(reply.headers['content-type']);
    const format = formatOf(type, target.pathname);
    const coding = reply.headers['content-encoding'] ?? 'identity';
    if (format === null || coding !== 'identity') {
      reply.close();
      throw format === null ? notAList(type) : new RunFailure('malformed_list');
    }
    const column = format === 'csv' ? source.emailColumn : null;
    const options = { encoding: encodingOf(format === 'csv' ? charset : null), column };
    const bytes = new SourceBytes(this.requests.limits.slow, this.requests.limits.bytes);
    const body = checked(atItsRate(reply.body, bytes), bytes);
    const pieces = readListInThread(this.threads, { team, format, options, signal }, body);
    return { pieces: piecesOf(inTime(pieces, signal)), options, facts: () => NO_FACTS };
  }

  /** Its first run says so. */
  check(): Promise<readonly ListFault[]> {
    return Promise.resolve([]);
  }

  write(): Promise<WrittenCounts> {
    return Promise.resolve({ written: 0, notWritten: 0 });
  }
}

async function* piecesOf(pieces: AsyncIterable<ListPiece>): AsyncGenerator<SourcePiece, void> {
  for await (const { entries: rows, header } of pieces) yield { rows, header, place: null };
}

/** @throws RunFailure when time was over, or the source was too slow while other bodies waited. */
async function* inTime<Batch>(
  batches: AsyncIterable<Batch>,
  signal: AbortSignal,
): AsyncGenerator<Batch, void> {
  try {
    yield* batches;
  } catch (error) {
    const isLate = signal.aborted || error instanceof RequestTimeout;
    throw isLate ? new RunFailure('timeout', true) : error;
  }
}

function formatOf(type: string, path: string): ListFormat | null {
  if (NDJSON_TYPES.includes(type) || /\.(ndjson|jsonl)$/i.test(path)) return 'ndjson';
  return OTHER_TYPES.test(type) ? null : 'csv';
}

const notAList = (type: string) =>
  RunFailure.of({ code: 'not_a_list', detail: type.slice(0, MAX_TYPE_LENGTH) });

async function* checked(body: AsyncIterable<Buffer>, bytes: SourceBytes): AsyncGenerator<Buffer, void> {
  let isFirst = true;
  for await (const chunk of body) {
    bytes.add(chunk.length);
    const [, mark] = (isFirst && PAGE.exec(chunk.toString('latin1', 0, MARKUP_BYTES))) || [];
    if (mark !== undefined) throw notAList(mark === '?xml' ? 'application/xml' : 'text/html');
    isFirst = false;
    yield chunk;
  }
}
