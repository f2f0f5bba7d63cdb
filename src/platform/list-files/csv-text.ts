import iconv from 'iconv-lite';
import { isAscii, isUtf8 } from 'node:buffer';
import { MalformedList } from '../../kernel/list-files/list-file.errors.js';
import type { ListEncoding } from '../../kernel/list-files/list-format.js';
import { EncodingDoubt, fromWindows1252 } from '../../kernel/text/windows-1252.js';
import { EndOfFile } from '../../kernel/text/end-of-file.js';
import { otherFileOf, START_BYTES } from './other-files.js';
import { decoded } from './decoded.js';

const MARKS: readonly { encoding: ListEncoding; bytes: Buffer }[] = [
  { encoding: 'utf-8', bytes: Buffer.from('efbbbf', 'hex') },
  { encoding: 'utf-16le', bytes: Buffer.from('fffe', 'hex') },
  { encoding: 'utf-16be', bytes: Buffer.from('feff', 'hex') },
];
/** A character of UTF-8 has at most this many bytes. */
const MAX_CHARACTER_BYTES = 4;
const LINE_FEED = 0x0a;
/** The share of characters that must be ASCII in UTF-16 without a byte order mark. */
const MOST = 0.8;
const HOW = 'Save the list as "CSV UTF-8", or name its encoding with encoding.';

export interface CsvText {
  /** Whether the body began with a byte order mark, which is not part of the text. */
  bom: boolean;
  text: AsyncGenerator<string, void, undefined>;
  /** Of what has been read. */
  encoding: () => ListEncoding;
  /** Whether that is hardly the encoding. */
  isDoubtful: () => boolean;
}

/**
 * Decodes a CSV. A byte order mark names UTF-8 or UTF-16, and NULs beside ASCII show UTF-16. Otherwise the first
 * character that is not ASCII decides: if it is valid UTF-8, the whole list has to be UTF-8, else the list is
 * Windows-1252, in which spreadsheets save in Western Europe. The rule needs no look ahead, so the list is read as a
 * stream. What it has that Windows-1252 hardly has is a doubt, and each of its bytes is kept as a character.
 *
 * @param encoding for a body without a byte order mark; null: by the rule above.
 * @throws MalformedList if the text is not in this encoding, or the body is a workbook or another file.
 */
export async function openCsvText(
  body: AsyncIterable<Buffer>,
  encoding: ListEncoding | null,
): Promise<CsvText> {
  const source = body[Symbol.asyncIterator]();
  try {
    let start = Buffer.alloc(0);
    while (start.length < START_BYTES) {
      const next = await source.next();
      if (next.done === true) break;
      start = Buffer.concat([start, next.value]);
    }
    const other = otherFileOf(start);
    if (other !== null) throw new MalformedList(other);
    const mark = MARKS.find(({ bytes }) => start.subarray(0, bytes.length).equals(bytes));
    const bytes = joined(start.subarray(mark?.bytes.length ?? 0), source);
    const known = mark?.encoding ?? encoding ?? encodingWithoutMark(start);
    let found = known ?? 'utf-8';
    const doubt = new EncodingDoubt();
    const text =
      known === null ? detected(bytes, doubt, () => (found = 'windows-1252')) : textOf(bytes, known, doubt);
    return {
      bom: mark !== undefined,
      text: upToEnd(text),
      encoding: () => found,
      isDoubtful: () => doubt.isFound,
    };
  } catch (error) {
    await source.return?.();
    throw error;
  }
}

async function* upToEnd(text: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  const end = new EndOfFile();
  for await (const piece of text) yield end.push(piece);
}

export async function* joined<T>(start: T, rest: AsyncIterator<T>): AsyncGenerator<T> {
  try {
    yield start;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    // Also when the consumer stops before the first record.
    await rest.return?.();
  }
}

/** UTF-16 of which nearly every character is ASCII. */
function encodingWithoutMark(start: Buffer): ListEncoding | null {
  const pairs = Math.floor(start.length / 2);
  const texts = { 'utf-16le': 0, 'utf-16be': 0 };
  for (let at = 0; at < 2 * pairs; at += 2) {
    const [first = 0, second = 0] = start.subarray(at, at + 2);
    if (second === 0 && isText(first)) texts['utf-16le']++;
    if (first === 0 && isText(second)) texts['utf-16be']++;
  }
  const [found] = Object.entries(texts).filter(([, count]) => pairs > 1 && count > MOST * pairs);
  return (found?.[0] ?? null) as ListEncoding | null;
}

function isText(byte: number): boolean {
  return (byte >= 0x20 && byte < 0x7f) || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}

/** Those that `iconv-lite` does not have, and Unicode, which is decoded strictly. */
const BY_PLATFORM: readonly ListEncoding[] = ['utf-8', 'utf-16le', 'utf-16be', 'iso-2022-jp'];
/** Other names of `iconv-lite`. */
const OTHER_NAMES: Readonly<Record<string, string>> = { 'x-mac-cyrillic': 'maccyrillic' };

function textOf(
  bytes: AsyncIterable<Buffer>,
  encoding: ListEncoding,
  doubt: EncodingDoubt,
): AsyncGenerator<string, void, undefined> {
  if (encoding === 'windows-1252') return ofWindows(bytes, doubt);
  return BY_PLATFORM.includes(encoding) ? decoded(bytes, encoding) : converted(bytes, encoding);
}

async function* ofWindows(
  bytes: AsyncIterable<Buffer>,
  doubt: EncodingDoubt,
): AsyncGenerator<string, void, undefined> {
  for await (const chunk of bytes) {
    doubt.push(chunk);
    yield textFrom(fromWindows1252(chunk));
  }
}

/** Not with `TextDecoder`: that of some versions of Node 20 to 24 reads Windows-1252 as ISO-8859-1. */
async function* converted(
  bytes: AsyncIterable<Buffer>,
  encoding: ListEncoding,
): AsyncGenerator<string, void, undefined> {
  const decoder = iconv.getDecoder(OTHER_NAMES[encoding] ?? encoding);
  for await (const chunk of bytes) yield textFrom(decoder.write(chunk));
  yield decoder.end() ?? '';
}

/** A text has NULs at its end only. Files that are no text have many, as has UTF-16, which is none of these encodings. */
const NUL_INSIDE = /\0[^\0\x04\x1a\r\n]/;

function textFrom(text: string): string {
  if (NUL_INSIDE.test(text)) throw new MalformedList(`The list is not a text. ${HOW}`);
  return text;
}

/** @param onWindows called if it is Windows-1252. */
async function* detected(
  bytes: AsyncIterable<Buffer>,
  doubt: EncodingDoubt,
  onWindows: () => void,
): AsyncGenerator<string, void, undefined> {
  const source = bytes[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  let line = 1;
  let isUnicode = false;
  try {
    for (let done = false; !done;) {
      const next = await source.next();
      done = next.done === true;
      const chunk = next.done === true ? rest : Buffer.concat([rest, next.value]);
      const end = done ? chunk.length : endOfCharacters(chunk);
      const whole = chunk.subarray(0, end);
      if (!isUtf8(whole)) {
        isUnicode ||= beginsWithUnicode(whole);
        if (isUnicode) throw notUtf8(line + soundLines(whole));
        onWindows();
        yield* ofWindows(joined(chunk, source), doubt);
        return;
      }
      isUnicode ||= !isAscii(whole);
      line += linesIn(whole);
      rest = chunk.subarray(end);
      yield whole.toString('utf8');
    }
  } finally {
    await source.return?.();
  }
}

function notUtf8(line: number): MalformedList {
  return new MalformedList(`Line ${line} is not UTF-8, but the text before it is. ${HOW}`);
}

/** The end of the last complete character, if the bytes are UTF-8. */
function endOfCharacters(bytes: Buffer): number {
  for (let back = 1; back < MAX_CHARACTER_BYTES && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) break;
    if (byte < 0xc0) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return back < length ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** Whether the first character that is not ASCII is valid UTF-8. */
function beginsWithUnicode(bytes: Buffer): boolean {
  const at = bytes.findIndex((byte) => byte >= 0x80);
  return [2, 3, MAX_CHARACTER_BYTES].some(
    (length) => at + length <= bytes.length && isUtf8(bytes.subarray(at, at + length)),
  );
}

/** The number of lines before the first one that is not UTF-8. */
function soundLines(bytes: Buffer): number {
  for (let [count, from] = [0, 0]; ; count++) {
    const end = bytes.indexOf(LINE_FEED, from);
    if (end === -1 || !isUtf8(bytes.subarray(from, end))) return count;
    from = end + 1;
  }
}

function linesIn(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) count++;
  return count;
}
