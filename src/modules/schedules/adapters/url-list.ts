import { mediaTypeOf } from '../../../platform/http/body/media-type.js';
import { encodingOf } from '../../../platform/list-files/list-charset.js';
import { readList } from '../../../platform/list-files/read-list.js';
import { emptyHeader, type ListFormat } from '../../../kernel/list-files/list-format.js';
import { RunFailure } from '../domain/failure.js';
import type { OpenedList } from '../domain/list-source.js';
import type { SourceSecret } from '../domain/schedule.js';
import { requireOk, SourceBytes, type SourceRequests } from './source-requests.js';

const NDJSON_TYPES = [
  'application/x-ndjson',
  'application/ndjson',
  'application/jsonl',
  'application/x-jsonlines',
];
/** A page to sign in, and a workbook, are no lists. */
const OTHER_TYPES = /^(text\/html|application\/json|application\/zip|application\/vnd\..*|image\/.*)$/;

/** A page that says that it is something else. A byte order mark may be before it. */
const PAGE = /^[^<\w]*<(!doctype|html|head|body|\?xml)\b/i;
const MARKUP_BYTES = 1_000;

/** The file of a URL. @throws RunFailure */
export async function openUrlList(
  requests: SourceRequests,
  url: string,
  headers: SourceSecret,
  signal: AbortSignal,
): Promise<OpenedList> {
  const target = new URL(url);
  const accepted = { accept: 'text/csv, application/x-ndjson, */*;q=0.5' };
  const reply = await requests.open({ url: target, headers: { ...accepted, ...headers } }, signal);
  requireOk(reply);
  if (Number(reply.headers['content-length'] ?? 0) > requests.limits.bytes) {
    reply.close();
    throw new RunFailure('too_large');
  }
  const { type, charset } = mediaTypeOf(reply.headers['content-type']);
  const format = formatOf(type, target.pathname);
  const coding = reply.headers['content-encoding'] ?? 'identity';
  if (format === null || coding !== 'identity') {
    reply.close();
    throw new RunFailure('malformed_list');
  }
  const header = emptyHeader();
  const options = { encoding: encodingOf(format === 'csv' ? charset : null) };
  const body = checked(reply.body, new SourceBytes(requests.limits));
  return { entries: readList(format, body, header, options), header, options };
}

function formatOf(type: string, path: string): ListFormat | null {
  if (NDJSON_TYPES.includes(type) || /\.(ndjson|jsonl)$/i.test(path)) return 'ndjson';
  return OTHER_TYPES.test(type) ? null : 'csv';
}

async function* checked(body: AsyncIterable<Buffer>, bytes: SourceBytes): AsyncGenerator<Buffer, void> {
  let isFirst = true;
  for await (const chunk of body) {
    bytes.add(chunk.length);
    if (isFirst && PAGE.test(chunk.toString('latin1', 0, MARKUP_BYTES)))
      throw new RunFailure('malformed_list');
    isFirst = false;
    yield chunk;
  }
}
