import { stringify } from 'csv-stringify/sync';
import { CsvRecords } from '../../kernel/list-files/csv/csv-records.js';
import type { Status } from '../../kernel/verdict.js';

/** The first columns of a verdict in a CSV of results. */
const VERDICT_COLUMNS = /status(.)reason\1score\1/;
const MAX_HEADER_LENGTH = 1_000_000;
/** A row has other columns of 16 kB, quoted, and a verdict. */
const MAX_RECORD_LENGTH = 1_000_000;
const BYTE_ORDER_MARK = '\ufeff';

/** The header and the rows of a CSV of results whose status is one of `statuses`; a byte order mark is kept. */
export async function* filterResults(
  csv: AsyncIterable<Uint8Array>,
  statuses: readonly Status[],
): AsyncGenerator<string, void, undefined> {
  const { delimiter, hasMark, text } = await opened(csv);
  if (hasMark) yield BYTE_ORDER_MARK;
  let column: number | null = null;
  for await (const cells of recordsIn(text, delimiter)) {
    if (column === null || statuses.includes(cells[column] as Status))
      yield stringify([cells], { delimiter });
    column ??= cells.indexOf('status');
  }
}

async function* recordsIn(text: AsyncIterable<string>, delimiter: string): AsyncGenerator<string[]> {
  const records = new CsvRecords({ delimiter, hasQuotes: true, maxLength: MAX_RECORD_LENGTH });
  for await (const piece of text) for (const { cells } of records.push(piece)) yield cells;
  for (const { cells } of records.end()) yield cells;
}

/** Reads up to the columns of the verdict, which show the delimiter. */
async function opened(
  csv: AsyncIterable<Uint8Array>,
): Promise<{ delimiter: string; hasMark: boolean; text: AsyncIterable<string> }> {
  const source = decoded(csv);
  let start = '';
  for (let found = null; found === null && start.length < MAX_HEADER_LENGTH;) {
    const next = await source.next();
    if (next.done === true) break;
    start += next.value;
    found = VERDICT_COLUMNS.exec(start);
  }
  const delimiter = VERDICT_COLUMNS.exec(start)?.[1];
  if (delimiter === undefined) throw new Error('The results have no column status.');
  const hasMark = start.startsWith(BYTE_ORDER_MARK);
  return { delimiter, hasMark, text: joined(hasMark ? start.slice(1) : start, source) };
}

async function* decoded(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

async function* joined(start: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield start;
  yield* rest;
}
