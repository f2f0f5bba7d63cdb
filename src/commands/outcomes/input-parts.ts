import { TextDecoder } from 'node:util';
import type { InputFile } from './input-files.js';
import { messagesOfMbox, singleMessage } from './messages.js';
import { csvParts, lineParts, type RecordPart } from './record-parts.js';

/** The body of one request. */
export interface InputPart {
  contentType: 'text/csv' | 'application/x-ndjson' | 'message/rfc822';
  /** null: a message that is too large. */
  body: Buffer | null;
  /** Names an entry of the part for people. @param index from 0. */
  where: (index: number) => string;
}

/** Enough of a file to recognise its kind, and how a CSV is read. */
const START_BYTES = 16_384;
const BYTE_ORDER_MARK = Buffer.from('efbbbf', 'hex');

/** The requests that a file is sent with. Its content shows its kind; an empty file has none. */
export async function* partsOf({ name, bytes }: InputFile): AsyncGenerator<InputPart, void, undefined> {
  const { start, all } = await opened(inUtf8(bytes));
  const contentType = 'message/rfc822';
  if (start.trim() === '') return;
  if (start.startsWith('From ')) {
    let count = 0;
    for await (const body of messagesOfMbox(all)) {
      const number = ++count;
      yield { contentType, body, where: () => `${name}, message ${number}` };
    }
  } else if (/^[a-z][a-z\d-]{0,76}:/i.test(start)) {
    for await (const body of singleMessage(all)) yield { contentType, body, where: () => name };
  } else if (start.trimStart().startsWith('{')) {
    for await (const part of lineParts(all)) yield listPart('application/x-ndjson', name, part);
  } else {
    for await (const part of csvParts(all, start)) yield listPart('text/csv', name, part);
  }
}

function listPart(
  contentType: InputPart['contentType'],
  name: string,
  { body, firstRow }: RecordPart,
): InputPart {
  return { contentType, body, where: (index) => `${name}, row ${firstRow + index}` };
}

/** @returns the first bytes as text, and all bytes. */
async function opened(bytes: AsyncGenerator<Buffer>): Promise<{ start: string; all: AsyncIterable<Buffer> }> {
  let start: Buffer = Buffer.alloc(0);
  while (start.length < START_BYTES) {
    const next = await bytes.next();
    if (next.done === true) break;
    start = Buffer.concat([start, next.value]);
  }
  return { start: start.toString(), all: joined(start, bytes) };
}

async function* joined(start: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield start;
  yield* rest;
}

/** Rows of UTF-16 cannot be told apart by their bytes. A byte order mark is left out. */
async function* inUtf8(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let decoder: TextDecoder | null = null;
  let isFirst = true;
  for await (const chunk of bytes) {
    if (isFirst) {
      const mark = chunk.toString('hex', 0, 2);
      if (mark === 'fffe' || mark === 'feff')
        decoder = new TextDecoder(mark === 'fffe' ? 'utf-16le' : 'utf-16be');
    }
    if (decoder !== null) yield Buffer.from(decoder.decode(chunk, { stream: true }));
    else if (isFirst && chunk.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK))
      yield chunk.subarray(BYTE_ORDER_MARK.length);
    else yield chunk;
    isFirst = false;
  }
}
