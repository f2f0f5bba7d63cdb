import { CsvError, parse, type InfoRecord, type Options } from 'csv-parse';
import { pipeline } from 'node:stream/promises';
import { delimiterOf } from '../../../../kernel/text/csv-delimiter.js';
import { MalformedList } from '../../domain/bulk.errors.js';
import type { Cells, ListEntry } from '../../domain/list-entry.js';
import type { ListHeader, ListOptions } from '../../domain/list-reader.js';
import { addColumns, columnsByCells, columnsByName, SAMPLE_ROWS, type Columns } from './csv-columns.js';
import { joined, openCsvText } from './csv-text.js';
import { MAX_ENTRY_LENGTH } from './entry-rules.js';

/** Of the other columns of a row together, in UTF-8. */
const MAX_OTHER_BYTES = 16_384;
/** Of a UTF-16 code unit in UTF-8. */
const MAX_BYTES_PER_CHARACTER = 3;
const MAX_CELLS = 1_000;
const BATCH_RECORDS = 1_000;
const BATCH_CHARACTERS = 1_000_000;
/** What an empty cell costs too: a line of commas has a thousand. */
const CHARACTERS_PER_CELL = 20;

interface Row {
  record: readonly string[];
  /** Where it begins, from 1. */
  line: number;
}

/**
 * Numbers the records of a CSV by the lines where they begin, from 1. The parser counts lines, but a CRLF
 * inside quotes twice.
 */
class RecordLines {
  private counted = 0;
  private doubled = 0;

  /** The line after the last record. */
  get next(): number {
    return this.counted - this.doubled + 1;
  }

  /** @param counted the line of its end, as the parser counts. */
  lineOf(record: readonly string[], counted: number): number {
    const isOneLine = counted === this.counted + 1;
    this.counted = counted;
    if (isOneLine) return this.next - 1;
    const text = record.join(' ');
    this.doubled += text.split('\r\n').length - 1;
    return this.next - text.split(/\r\n|\r|\n/).length;
  }
}

/**
 * Reads a CSV (RFC 4180). The column with the addresses is found by its name or its cells; the other
 * columns are returned with the result. The delimiter is the one that a first line `sep=` names, else the
 * most frequent one in the first line.
 *
 * @throws MalformedList with the line.
 */
export async function* csvList(
  body: AsyncIterable<Buffer>,
  header: ListHeader,
  options: ListOptions = {},
): AsyncGenerator<readonly ListEntry[], void, undefined> {
  const { bom, text: decoded } = await openCsvText(body, options.encoding ?? null);
  const { delimiter, text } = await openCsv(decoded);
  Object.assign(header, { bom, delimiter });
  const lines = new RecordLines();
  const withLine = (record: string[], { lines: counted }: InfoRecord): Row => ({
    record,
    line: lines.lineOf(record, counted),
  });
  const parser = parse({
    delimiter,
    // Files that were put together have several.
    record_delimiter: ['\r\n', '\n', '\r'],
    max_record_size: MAX_ENTRY_LENGTH + MAX_OTHER_BYTES,
    relax_column_count: true,
    skip_empty_lines: true,
    // The types know other records only with `columns`.
    on_record: withLine as unknown as Options['on_record'],
  });
  // A failure destroys the parser, which reports it to the consumer.
  pipeline(text, parser).catch(() => undefined);
  let columns: Columns | null = null;
  /** Rows that are not entries yet; before the columns are known, all. */
  let rows: Row[] = [];
  let characters = 0;
  const dequeue = (): ListEntry[] => {
    if (columns === null) {
      columns = columnsByCells(
        rows.map(({ record }) => record),
        options,
      );
      if (columns.hasHeader) rows.shift();
      Object.assign(header, { columns: columns.names, hasHeader: columns.hasHeader });
    }
    const known = columns;
    const entries = rows.map((row) => entryIn(row, known));
    rows = [];
    characters = 0;
    return entries;
  };
  try {
    for await (const row of parser as AsyncIterable<Row>) {
      const { record, line } = row;
      if (record.length > MAX_CELLS) throw malformed(line, `A row may have at most ${MAX_CELLS} cells.`);
      if (columns === null && rows.length === 0) {
        columns = columnsByName(record, options);
        if (columns !== null) Object.assign(header, { columns: columns.names, hasHeader: columns.hasHeader });
        if (columns?.hasHeader === true) continue;
      }
      rows.push(row);
      for (const cell of record) characters += cell.length + CHARACTERS_PER_CELL;
      const isFull =
        columns === null
          ? rows.length > SAMPLE_ROWS
          : rows.length === BATCH_RECORDS || characters >= BATCH_CHARACTERS;
      if (isFull) yield dequeue();
    }
  } catch (error) {
    throw error instanceof CsvError ? named(error, lines.next) : error;
  }
  yield dequeue();
}

/** With the cells of the other columns, up to the last one that is not empty. */
function entryIn({ record, line }: Row, columns: Columns): ListEntry {
  const { names, email: at } = columns;
  let width = record.length;
  while (record[width - 1] === '') width--;
  if (width > names.length) addColumns(columns, width);
  const email = record[at] ?? '';
  if (names.length === 1) return { email, ref: null };
  const cells = Array.from({ length: Math.max(width, at + 1) }, (_, index) =>
    index === at ? null : (record[index] ?? ''),
  );
  requireRoom(cells, names, line);
  return { email, ref: cells };
}

function requireRoom(cells: Cells, names: readonly string[], line: number): void {
  const characters = cells.reduce((sum, cell) => sum + (cell?.length ?? 0), 0);
  if (characters * MAX_BYTES_PER_CHARACTER <= MAX_OTHER_BYTES) return;
  const sizes = cells.map((cell) => Buffer.byteLength(cell ?? ''));
  const size = sizes.reduce((sum, bytes) => sum + bytes, 0);
  if (size <= MAX_OTHER_BYTES) return;
  const longest = names[sizes.indexOf(Math.max(...sizes))] ?? '';
  throw malformed(
    line,
    `The other columns of a row may have at most ${MAX_OTHER_BYTES} bytes together. They have ${size}, most of them in ${JSON.stringify(longest.slice(0, 60))}.`,
  );
}

function malformed(line: number, sentence: string): MalformedList {
  return new MalformedList(`Line ${line}: ${sentence}`);
}

/** @param line where the record begins. */
function named({ code }: CsvError, line: number): MalformedList {
  if (code === 'CSV_MAX_RECORD_SIZE')
    return malformed(
      line,
      `A row may have at most ${MAX_ENTRY_LENGTH + MAX_OTHER_BYTES} bytes. A quote that is not closed may be the reason.`,
    );
  return malformed(line, 'A quote is not closed, or stands in a cell and is not doubled.');
}

/** Reads up to the end of the first line, which shows the delimiter. */
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
  const { delimiter, isNamed } = delimiterOf(line);
  // The line break of a named delimiter remains, as an empty line.
  return { delimiter, text: joined(isNamed ? start.slice(line.length) : start, source) };
}
