import { mediaTypeOf } from '../../../platform/http/body/media-type.js';
import { encodingOf } from '../../../platform/list-files/list-charset.js';
import { readList } from '../../../platform/list-files/read-list.js';
import { emptyHeader, type ListFormat } from '../../../kernel/list-files/list-format.js';
import { RunFailure } from '../domain/failure.js';
import type { OpenedList } from '../domain/list-source.js';
import type { SourceSecret } from '../domain/schedule.js';
import { MAX_SOURCE_BYTES, requireOk, SourceBytes, type SourceRequests } from './source-requests.js';

const NDJSON_TYPES = [
  'application/x-ndjson',
  'application/ndjson',
  'application/jsonl',
  'application/x-jsonlines',
];
/** A page to sign in, and a workbook, are no lists. */
const OTHER_TYPES = /^(text\/html|application\/json|application\/zip|application\/vnd\..*|image\/.*)$/;

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
  if (Number(reply.headers['content-length'] ?? 0) > MAX_SOURCE_BYTES) {
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
  return { entries: readList(format, counted(reply.body), header, options), header, options };
}

function formatOf(type: string, path: string): ListFormat | null {
  if (NDJSON_TYPES.includes(type) || /\.(ndjson|jsonl)$/i.test(path)) return 'ndjson';
  return OTHER_TYPES.test(type) ? null : 'csv';
}

async function* counted(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  const bytes = new SourceBytes();
  for await (const chunk of body) {
    bytes.add(chunk.length);
    yield chunk;
  }
}
