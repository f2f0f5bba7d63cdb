import { RcptError } from './errors.js';
import { isBrowser, type RequestBody } from './transport.js';
import type { BulkEntry } from './types.js';

const CHUNK_CHARACTERS = 65_536;
/** By extension of the file name. */
const TYPES: Readonly<Record<string, string>> = {
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  jsonl: 'application/x-ndjson',
};
const CSV = 'text/csv';

type Chunk = BulkEntry | Uint8Array;
/** Addresses, or the bytes of a file (`fs.createReadStream(path)`, a `Blob`, a `File`). */
export type ListContent = Blob | ReadableStream<Uint8Array> | Iterable<BulkEntry> | AsyncIterable<Chunk>;
/** A function is called for every attempt. */
export type ListSource = ListContent | (() => ListContent);

/** Whether a retry can send the list again: a stream and a generator can be read once. */
export function isRepeatable(source: ListSource): boolean {
  if (typeof source === 'function' || source instanceof Blob) return true;
  return typeof source === 'string' || (Symbol.iterator in source && !('next' in source));
}

/**
 * The body of a list, which is read while it is sent.
 *
 * @param attempt aborted when the rest is not needed.
 * @throws RcptError
 */
export async function listBody(
  source: ListSource,
  attempt: AbortSignal,
  contentType?: string,
): Promise<RequestBody> {
  const content = typeof source === 'function' ? source() : source;
  if (typeof content === 'string')
    throw new RcptError('A list is an array of addresses, a Blob or a stream, not a string.');
  if (content instanceof Blob) return { contentType: contentType ?? typeOf(content), content };
  const chunks = iterate(content);
  const first = await chunks.next();
  const all = startingWith(first, chunks);
  const isFile = first.done !== true && first.value instanceof Uint8Array;
  return {
    contentType: contentType ?? (isFile ? CSV : 'application/x-ndjson'),
    content: await toBody(isFile ? (all as AsyncGenerator<Uint8Array, void>) : toNdjson(all), attempt),
  };
}

function typeOf(file: Blob & { name?: string }): string {
  const extension = /\.(\w+)$/.exec(file.name ?? '')?.[1]?.toLowerCase() ?? '';
  return TYPES[extension] ?? (Object.values(TYPES).includes(file.type) ? file.type : CSV);
}

async function* iterate(content: Exclude<ListContent, Blob>): AsyncGenerator<Chunk, void, undefined> {
  // Not every browser can iterate over a stream.
  if ('getReader' in content) yield* piecesOf(content);
  else yield* content;
}

async function* piecesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel();
  }
}

async function* startingWith(
  first: IteratorResult<Chunk, void>,
  rest: AsyncGenerator<Chunk, void, undefined>,
): AsyncGenerator<Chunk, void, undefined> {
  if (first.done === true) return;
  try {
    yield first.value;
    yield* rest;
  } finally {
    await rest.return();
  }
}

async function* toNdjson(entries: AsyncIterable<Chunk>): AsyncGenerator<Uint8Array, void, undefined> {
  const encoder = new TextEncoder();
  let text = '';
  for await (const entry of entries) {
    text += `${lineOf(entry)}\n`;
    if (text.length < CHUNK_CHARACTERS) continue;
    yield encoder.encode(text);
    text = '';
    // Otherwise an early response would not be read before the end of the list.
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  yield encoder.encode(text);
}

function lineOf(entry: Chunk): string {
  if (entry instanceof Uint8Array) throw new RcptError('A list has either addresses or bytes.');
  if (typeof entry === 'string' && /\S\s*\n\s*\S/.test(entry))
    throw new RcptError('An address contains a line break. Pass the file as bytes, without an encoding.');
  return JSON.stringify(entry);
}

async function toBody(
  pieces: AsyncGenerator<Uint8Array, void>,
  attempt: AbortSignal,
): Promise<RequestBody['content']> {
  if (!isBrowser()) return toStream(pieces, attempt);
  // Browsers send streams over HTTP/2 only, if at all.
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for await (const piece of pieces) parts.push(piece as Uint8Array<ArrayBuffer>);
  return new Blob(parts);
}

function toStream(
  pieces: AsyncGenerator<Uint8Array, void>,
  attempt: AbortSignal,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      // After an early response the `fetch` of Node reads on without a pause.
      const { done, value } = await (attempt.aborted ? pieces.return() : pieces.next());
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await pieces.return();
    },
  });
}
