import { namedDelimiter, readingOf } from '../../kernel/list-files/csv/csv-reading.js';
import { UsageError } from '../terminal.js';

/** Whole records of a list, which one request can hold, and the service stores in some seconds. */
export interface RecordPart {
  body: Buffer;
  /** From 1, without the header of a CSV. */
  firstRow: number;
}

const MAX_ROWS = 10_000;
const MAX_BYTES = 4_000_000;
/** Longer than a row may be at the service. */
const MAX_RECORD_BYTES = 100_000;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const QUOTE = 0x22;

/** @returns where the next record begins; -1: the record is not complete. */
type EndOfRecord = (text: Buffer, from: number) => number;

export function lineParts(bytes: AsyncIterable<Buffer>): AsyncGenerator<RecordPart, void, undefined> {
  return partsOf(
    recordsIn(bytes, (text, from) => text.indexOf(LINE_FEED, from) + 1 || -1),
    0,
  );
}

/** Parts of a CSV, each of which begins with the header and what is above it. @param start the first bytes. */
export function csvParts(
  bytes: AsyncIterable<Buffer>,
  start: string,
): AsyncGenerator<RecordPart, void, undefined> {
  const named = namedDelimiter(start);
  const text = named === null ? start : start.slice(named.length);
  const { delimiter, titles } = readingOf(text, false, { delimiter: named?.delimiter });
  const code = delimiter.charCodeAt(0);
  return partsOf(
    recordsIn(bytes, (record, from) => endOfRow(record, from, code)),
    (named === null ? 0 : 1) + Math.max(1, titles),
  );
}

/** @param headers records at the beginning that every part has. */
async function* partsOf(
  records: AsyncIterable<Buffer[]>,
  headers: number,
): AsyncGenerator<RecordPart, void, undefined> {
  const header: Buffer[] = [];
  let rows: Buffer[] = [];
  let size = 0;
  let firstRow = 1;
  const dequeue = () => {
    const part = { body: Buffer.concat([...header, ...rows]), firstRow };
    firstRow += rows.length;
    rows = [];
    size = 0;
    return part;
  };
  for await (const found of records)
    for (const record of found) {
      if (isBlank(record)) continue;
      if (header.length < headers) {
        header.push(record);
        continue;
      }
      if (rows.length === MAX_ROWS || size + record.length > MAX_BYTES) yield dequeue();
      rows.push(record);
      size += record.length;
    }
  // A header alone is sent too: the service may refuse it.
  if (rows.length > 0 || (firstRow === 1 && header.length > 0)) yield dequeue();
}

function isBlank(record: Buffer): boolean {
  return record.length <= 2 && record.toString('latin1').trim() === '';
}

/** Complete records, those of one chunk together. */
async function* recordsIn(bytes: AsyncIterable<Buffer>, endOf: EndOfRecord): AsyncGenerator<Buffer[]> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of bytes) {
    const text = Buffer.concat([rest, chunk]);
    const records: Buffer[] = [];
    let from = 0;
    for (let end = endOf(text, from); end !== -1; end = endOf(text, from)) {
      records.push(text.subarray(from, end));
      from = end;
    }
    yield records;
    rest = text.subarray(from);
    if (rest.length > MAX_RECORD_BYTES)
      throw new UsageError(
        `a row is longer than ${MAX_RECORD_BYTES} bytes; a quote that is not closed may be the reason`,
      );
  }
  if (rest.length > 0) yield [rest];
}

function endOfRow(text: Buffer, from: number, delimiter: number): number {
  let isCellStart = true;
  for (let at = from; at < text.length; at++) {
    const byte = text[at];
    if (byte === QUOTE && isCellStart) {
      at = closingQuote(text, at + 1);
      if (at === -1) return -1;
    } else if (byte === LINE_FEED) return at + 1;
    else if (byte === CARRIAGE_RETURN) {
      if (at + 1 === text.length) return -1;
      return text[at + 1] === LINE_FEED ? at + 2 : at + 1;
    }
    isCellStart = byte === delimiter;
  }
  return -1;
}

/** A doubled quote is a part of the cell. */
function closingQuote(text: Buffer, from: number): number {
  let at = text.indexOf(QUOTE, from);
  while (at !== -1 && text[at + 1] === QUOTE) at = text.indexOf(QUOTE, at + 2);
  return at;
}
