import { CsvError, parse } from 'csv-parse';
import { pipeline } from 'node:stream/promises';
import { MalformedList } from '../bulk.errors.js';
import type { ListEntry } from '../domain/list-entry.js';
import type { ListHeader } from '../domain/list-reader.js';
import { columnsByCells, columnsByName, SAMPLE_ROWS, type Columns } from './csv-columns.js';
import { MAX_ENTRY_LENGTH, invalid, tooLong } from './entry-rules.js';
import { csvText } from './csv-text.js';

const MAX_REF_BYTES = 1_024;
const BATCH_RECORDS = 1_000;
/** Spreadsheets use a semicolon where the locale has a decimal comma. */
const DELIMITERS = [',', ';', '\t'];

/**
 * Reads a CSV (RFC 4180). The column with the addresses is found by its name or its cells; the other
 * columns are returned with the result. The delimiter is the most frequent one in the first line.
 *
 * @param emailColumn its name; null: not given.
 */
export async function* csvList(
  body: AsyncIterable<Buffer>,
  header: ListHeader,
  emailColumn: string | null = null,
): AsyncGenerator<readonly ListEntry[], void, undefined> {
  const { delimiter, text } = await openCsv(csvText(body));
  header.delimiter = delimiter;
  const parser = parse({
    bom: true,
    delimiter,
    max_record_size: MAX_ENTRY_LENGTH,
    relax_column_count: true,
    skip_empty_lines: true,
  });
  // A failure destroys the parser, which reports it to the consumer.
  pipeline(text, parser).catch(() => undefined);
  let columns: Columns | null = null;
  /** Records that are not entries yet; before the columns are known, all. */
  let records: string[][] = [];
  let count = 0;
  const take = (): ListEntry[] => {
    if (columns === null) {
      columns = columnsByCells(records);
      if (columns.hasHeader) records.shift();
      header.columns = columns.names;
    }
    const known = columns;
    const entries = records.map((record) => entryIn(record, known, count++));
    records = [];
    return entries;
  };
  try {
    for await (const record of parser as AsyncIterable<string[]>) {
      if (columns === null && records.length === 0) {
        columns = columnsByName(record, emailColumn);
        header.columns = columns?.names ?? null;
        if (columns !== null) continue;
      }
      records.push(record);
      if (records.length > (columns === null ? SAMPLE_ROWS : BATCH_RECORDS - 1)) yield take();
    }
  } catch (error) {
    const unnamed = columns === null ? 1 : 0;
    throw error instanceof CsvError ? named(error, count + Math.max(0, records.length - unnamed)) : error;
  }
  yield take();
}

function entryIn(record: readonly string[], { names, email }: Columns, index: number): ListEntry {
  if (record.length > names.length)
    throw invalid(
      `/${index}`,
      `The row has ${record.length} cells, but there are ${names.length} columns.`,
      'invalid',
    );
  if (names.length === 1) return { email: record[email] ?? '', ref: null };
  // Not by assignment, which would lose a column named `__proto__`.
  const ref: Record<string, string> = Object.fromEntries(
    names.flatMap((name, at) => (at === email ? [] : [[name, record[at] ?? '']])),
  );
  if (Buffer.byteLength(JSON.stringify(ref)) > MAX_REF_BYTES)
    throw invalid(
      `/${index}`,
      `The other columns of a row may have at most ${MAX_REF_BYTES} bytes as JSON.`,
      'too_big',
    );
  return { email: record[email] ?? '', ref };
}

function named(error: CsvError, index: number): Error {
  if (error.code === 'CSV_MAX_RECORD_SIZE') return tooLong(`/${index}`);
  return new MalformedList(
    `The CSV cannot be read after row ${index}: quotes are not closed or not doubled.`,
  );
}

/** Reads up to the end of the first line to detect the delimiter. */
async function openCsv(
  source: AsyncGenerator<string, void, undefined>,
): Promise<{ delimiter: string; text: AsyncIterable<string> }> {
  let start = '';
  let piece = '';
  while (!/[\r\n]/.test(piece) && start.length <= MAX_ENTRY_LENGTH) {
    const next = await source.next();
    if (next.done === true) break;
    piece = next.value;
    start += piece;
  }
  const [line = ''] = start.split(/[\r\n]/, 1);
  const count = (delimiter: string) => line.split(delimiter).length;
  const delimiter = DELIMITERS.reduce((best, each) => (count(each) > count(best) ? each : best));
  return { delimiter, text: joined(start, source) };
}

async function* joined(start: string, rest: AsyncGenerator<string, void, undefined>): AsyncGenerator<string> {
  try {
    yield start;
    yield* rest;
  } finally {
    // Also when the consumer stops before the first record.
    await rest.return();
  }
}
