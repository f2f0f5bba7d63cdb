import type { Request } from 'express';
import { createHash } from 'node:crypto';
import { memoryFor } from './body-memory.js';
import { gunzipped, isGzip } from './content-coding.js';
import { FORM_TYPE, isMultipart, openFormFile } from './form-file.js';
import { mediaTypeOf } from './media-type.js';
import { collectBody } from './read-body.js';
import type { AuthenticatedRequest } from '../request/request-log.js';
import { setPolicy } from '../request/route-policy.js';
import { MalformedHttp, PayloadTooLarge, UnsupportedMediaType } from '../problems/problems.js';

/** Use it on routes whose handler reads the body as a stream. */
export const StreamsBody = () => setPolicy('streamsBody', true);

/** In which a body arrives that is read as a whole and may be larger than those of single calls. */
const LONG_BODY_TIMEOUT_MS = 60_000;

/** Content types, others that mean the same, and extensions of files. */
const FILES = {
  json: { contentType: 'application/json', aliases: [], extensions: ['json'] },
  csv: {
    contentType: 'text/csv',
    aliases: ['text/tab-separated-values', 'text/comma-separated-values'],
    extensions: ['csv', 'tsv', 'tab', 'txt'],
  },
  ndjson: { contentType: 'application/x-ndjson', aliases: [], extensions: ['ndjson', 'jsonl'] },
  message: { contentType: 'message/rfc822', aliases: [], extensions: ['eml'] },
} as const;

/** The formats that a route accepts as a stream. */
interface BodyFormats<Format> {
  /** Their content types and that of forms, and what they contain, for the document. */
  types: readonly string[];
  description: string;
  byType: Readonly<Record<string, Format>>;
  /** Extensions of file names, for a file of a form whose content type is none of `byType`. */
  byExtension: Readonly<Record<string, Format>>;
  /** Why files of other content types and extensions are not read, and what to send instead. */
  others: Readonly<Record<string, string>>;
}

/** @param contents what a body contains, by format. */
export function bodyFormats<Format extends keyof typeof FILES>(
  contents: Readonly<Record<Format, string>>,
  others: BodyFormats<Format>['others'] = {},
): BodyFormats<Format> {
  const formats = Object.keys(contents) as Format[];
  const byType = Object.fromEntries(
    formats.flatMap((format) =>
      [FILES[format].contentType, ...FILES[format].aliases].map((type) => [type, format]),
    ),
  );
  const byExtension = Object.fromEntries(
    formats.flatMap((format) => FILES[format].extensions.map((extension) => [extension, format])),
  );
  const descriptions = formats.map((format) => `\`${FILES[format].contentType}\`: ${contents[format]}.`);
  const form = `\`${FORM_TYPE}\`: one file in one of these formats, and no fields.`;
  const description = [...descriptions, form].join(' ');
  const types = [...formats.map((format) => FILES[format].contentType), FORM_TYPE];
  return { types, description, byType, byExtension, others };
}

export interface OpenedBody<Format> {
  format: Format;
  bytes: AsyncIterable<Buffer>;
  /**
   * Reads `bytes` to their end, within the memory and the time for such bodies.
   *
   * @throws PayloadTooLarge, RequestTimeout, NotReady
   */
  whole: (maxBytes: number) => Promise<Buffer>;
}

/** A body that is read as a stream: itself the content, or a form with one file; perhaps compressed. */
interface StreamedBody<Format> {
  /** Of a CSV that is no form, in lower case. */
  charset: string | null;
  /** Starts to read. */
  open: () => Promise<OpenedBody<Format>>;
  /** SHA-256 of the body as it was sent, after it was read to its end. */
  digest: () => Buffer;
}

/**
 * Reads nothing yet.
 *
 * @param maxBytes as sent, and after decompression.
 * @throws UnsupportedMediaType if the type or the content coding is unknown.
 * Reading throws PayloadTooLarge, MalformedHttp, InvalidRequest.
 */
export function streamedBody<Format>(
  request: AuthenticatedRequest,
  formats: BodyFormats<Format>,
  maxBytes: number,
): StreamedBody<Format> {
  const { 'content-type': header = '' } = request.headers;
  const { type, charset } = mediaTypeOf(header);
  const format = isMultipart(header) ? null : formatOf(type, formats);
  const isCompressed = isGzip(request);
  const hash = createHash('sha256');
  const bytes = () => {
    const sent = through(bytesOf(request, maxBytes), (chunk) => hash.update(chunk));
    return isCompressed ? gunzipped(sent, maxBytes) : sent;
  };
  const open = async () => {
    const file = format === null ? await openForm(header, bytes(), formats) : { format, bytes: bytes() };
    const limits = { timeoutMs: LONG_BODY_TIMEOUT_MS, ...memoryFor(request, true) };
    const whole = (maxBytes: number) => collectBody(file.bytes, { maxBytes, ...limits });
    return { ...file, whole };
  };
  return { charset: isCsv(type) ? charset : null, open, digest: () => hash.digest() };
}

function isCsv(type: string): boolean {
  return [FILES.csv.contentType, ...FILES.csv.aliases].some((each) => each === type);
}

function formatOf<Format>(type: string, { types, byType, others }: BodyFormats<Format>): Format {
  const format = own(byType, type);
  if (format !== undefined) return format;
  throw new UnsupportedMediaType(own(others, type) ?? `Send Content-Type: ${types.join(' or ')}.`);
}

async function openForm<Format>(
  contentType: string,
  bytes: AsyncIterable<Buffer>,
  { byType, byExtension, others }: BodyFormats<Format>,
): Promise<Pick<OpenedBody<Format>, 'format' | 'bytes'>> {
  const file = await openFormFile(contentType, bytes);
  const extension = file.name.slice(file.name.lastIndexOf('.') + 1);
  const format = own(byType, file.type) ?? own(byExtension, extension);
  if (format !== undefined) return { format, bytes: file.bytes };
  file.close();
  throw new UnsupportedMediaType(
    own(others, extension) ??
      own(others, file.type) ??
      `Send a file with the content type ${Object.keys(byType).join(' or ')}, or the extension ${Object.keys(byExtension).join(' or ')}.`,
  );
}

function own<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  const key = name.toLowerCase();
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

async function* through(bytes: AsyncIterable<Buffer>, see: (bytes: Buffer) => void): AsyncGenerator<Buffer> {
  for await (const chunk of bytes) {
    see(chunk);
    yield chunk;
  }
}

/**
 * The chunks of a body. If the consumer stops early, the rest is read and discarded, since many clients
 * read the response only after they have sent the whole body.
 *
 * @throws PayloadTooLarge, MalformedHttp if the body is incomplete.
 */
export async function* bytesOf(request: Request, maxBytes: number): AsyncGenerator<Buffer, void, undefined> {
  const tooLarge = () => new PayloadTooLarge(`The body may have at most ${maxBytes} bytes.`);
  let size = 0;
  try {
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
    const chunks = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
    for await (const chunk of chunks) {
      size += chunk.length;
      if (size > maxBytes) throw tooLarge();
      yield chunk;
    }
  } catch (error) {
    throw error instanceof PayloadTooLarge ? error : new MalformedHttp('The body is incomplete.');
  } finally {
    request.resume();
  }
}
