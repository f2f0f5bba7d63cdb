import { decoded } from './utf8-text.js';

const ENCODINGS: Readonly<Record<string, string>> = { fffe: 'utf-16le', feff: 'utf-16be' };
const MARK_BYTES = 2;

/**
 * Decodes UTF-8, or UTF-16 with a byte order mark, as spreadsheets save "Unicode text".
 *
 * @throws MalformedList for anything else.
 */
export async function* csvText(body: AsyncIterable<Buffer>): AsyncGenerator<string, void, undefined> {
  const source = body[Symbol.asyncIterator]();
  try {
    let start = Buffer.alloc(0);
    while (start.length < MARK_BYTES) {
      const next = await source.next();
      if (next.done === true) break;
      start = Buffer.concat([start, next.value]);
    }
    const encoding = ENCODINGS[start.toString('hex', 0, MARK_BYTES)] ?? 'utf-8';
    yield* decoded(joined(start, source), encoding);
  } finally {
    await source.return?.();
  }
}

async function* joined(start: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield start;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}
