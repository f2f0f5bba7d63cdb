import { parse } from 'csv-parse';
import { stringify } from 'csv-stringify/sync';
import { pipeline } from 'node:stream/promises';
import type { Status } from '../../kernel/verdict.js';

/** The first columns of a verdict in a CSV of results. */
const VERDICT_COLUMNS = /status(.)reason\1score\1/;
const MAX_HEADER_LENGTH = 1_000_000;
const BYTE_ORDER_MARK = '\ufeff';

/** The header and the rows of a CSV of results whose status is one of `statuses`; a byte order mark is kept. */
export async function* filterResults(
  csv: AsyncIterable<Uint8Array>,
  statuses: readonly Status[],
): AsyncGenerator<string, void, undefined> {
  const { delimiter, hasMark, text } = await opened(csv);
  if (hasMark) yield BYTE_ORDER_MARK;
  const parser = parse({ bom: true, delimiter });
  // A failure destroys the parser, where it is reported.
  pipeline(text, parser).catch(() => undefined);
  let column: number | null = null;
  for await (const record of parser as AsyncIterable<string[]>) {
    if (column === null || statuses.includes(record[column] as Status))
      yield stringify([record], { delimiter });
    column ??= record.indexOf('status');
  }
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
  return { delimiter, hasMark: start.startsWith(BYTE_ORDER_MARK), text: joined(start, source) };
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
