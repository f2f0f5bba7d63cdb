import { CsvError, parse } from 'csv-parse';
import { pipeline } from 'node:stream/promises';
import { MalformedList } from '../bulk.errors.js';
import type { ListEntry } from '../domain/list-entry.js';
import type { ListHeader } from '../domain/list-reader.js';
import { LONGEST_ENTRY, refuse, segment, tooLong } from './entry-rules.js';
import { utf8Text } from './utf8-text.js';

const MOST_REF_BYTES = 1_024;
/** Spreadsheets write what the locale's decimal comma leaves free. */
const DELIMITERS = [',', ';', '\t'];

/**
 * Reads a CSV (RFC 4180) whose first line names a column `email`, in any letters; the others come
 * back with the result. The delimiter is the one that the first line has most of.
 */
export async function* csvList(
  body: AsyncIterable<Buffer>,
  header: ListHeader,
): AsyncGenerator<readonly ListEntry[], void, undefined> {
  const { delimiter, text } = await openCsv(utf8Text(body));
  const parser = parse({
    bom: true,
    delimiter,
    max_record_size: LONGEST_ENTRY,
    relax_column_count: true,
    skip_empty_lines: true,
  });
  // What goes wrong on this side ends the parser, and is heard of there.
  pipeline(text, parser).catch(() => undefined);
  let columns: Columns | null = null;
  let entries: ListEntry[] = [];
  let count = 0;
  try {
    for await (const record of parser as AsyncIterable<string[]>) {
      if (columns === null) {
        columns = columnsOf(record);
        header.columns = columns.names;
        continue;
      }
      entries.push(entryIn(record, columns, count++));
      if (entries.length < 1_000) continue;
      yield entries;
      entries = [];
    }
  } catch (error) {
    throw error instanceof CsvError ? named(error, count) : error;
  }
  if (columns === null) throw new MalformedList('The first line must name the columns, one of them email.');
  yield entries;
}

interface Columns {
  names: string[];
  email: number;
}

function columnsOf(record: readonly string[]): Columns {
  const names = record.map((name) => name.trim());
  const email = names.findIndex((name) => name.toLowerCase() === 'email');
  if (email === -1) throw new MalformedList('The first line must name the columns, one of them email.');
  const seen = new Set<string>();
  const twice = names.find((name) => seen.size === seen.add(name).size);
  if (twice !== undefined)
    throw refuse(`/${segment(twice)}`, 'A column’s name may stand there once.', 'repeated');
  return { names, email };
}

function entryIn(record: readonly string[], { names, email }: Columns, index: number): ListEntry {
  if (record.length > names.length)
    throw refuse(
      `/${index}`,
      `The row has ${record.length} cells, but there are ${names.length} columns.`,
      'invalid',
    );
  if (names.length === 1) return { email: record[email] ?? '', ref: null };
  // Not by assignment, which makes no column of `__proto__`.
  const ref: Record<string, string> = Object.fromEntries(
    names.flatMap((name, at) => (at === email ? [] : [[name, record[at] ?? '']])),
  );
  if (Buffer.byteLength(JSON.stringify(ref)) > MOST_REF_BYTES)
    throw refuse(
      `/${index}`,
      `The other columns of a row may have at most ${MOST_REF_BYTES} bytes as JSON.`,
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

/** Reads as far as the first line goes, to see what separates its cells. */
async function openCsv(
  source: AsyncGenerator<string, void, undefined>,
): Promise<{ delimiter: string; text: AsyncIterable<string> }> {
  let start = '';
  let piece = '';
  while (!/[\r\n]/.test(piece) && start.length <= LONGEST_ENTRY) {
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
    // Also when it was left before its turn came.
    await rest.return();
  }
}
