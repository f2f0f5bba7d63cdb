import { addressInCell, withoutTextMark } from '../../kernel/text/addresses-in-text.js';
import { addColumns, columnsOf, type CsvColumns } from '../../kernel/list-files/csv/csv-columns.js';
import { CsvRecords, type CsvRecord } from '../../kernel/list-files/csv/csv-records.js';
import {
  CsvSample,
  namedDelimiter,
  readingOf,
  type CsvReading,
} from '../../kernel/list-files/csv/csv-reading.js';
import { MalformedList } from '../../kernel/list-files/list-file.errors.js';
import type { Cells, ListEntry } from '../../kernel/list-files/list-entry.js';
import {
  emptyHeader,
  type ListHeader,
  type ListOptions,
  type ListPiece,
} from '../../kernel/list-files/list-format.js';
import { asMalformedList, malformed, requireApart, requireColumn, shown } from './csv-faults.js';
import { joined, openCsvText } from './csv-text.js';
import { otherTextOf } from './other-texts.js';
import { RowLines } from '../../kernel/list-files/row-lines.js';
import { greatest } from '../../kernel/long-lists.js';

/** Of the other columns of a row together, in UTF-8. */
const MAX_OTHER_BYTES = 16_384;
/** Of a UTF-16 code unit in UTF-8. */
const MAX_BYTES_PER_CHARACTER = 3;
/** What the bytes of a list show that was read as Windows-1252. */
const OTHER_ENCODING =
  'The list has bytes that texts in Windows-1252 do not have. Name its encoding with encoding, for example shift_jis, gb18030 or windows-1251. Otherwise the cells come back as they were sent.';
const MAX_CELLS = 1_000;

/**
 * Reads a CSV. Delimiter, header and the column with the addresses are found in its first lines; the other columns
 * are returned with the result.
 *
 * @throws MalformedList with the line.
 */
export async function* csvList(
  body: AsyncIterable<Buffer>,
  options: ListOptions = {},
): AsyncGenerator<ListPiece, void, undefined> {
  const opened = await openCsvText(body, options.encoding ?? null);
  const { start, isWhole } = await startOf(opened.text);
  const other = otherTextOf(start);
  if (other !== null) throw new MalformedList(other);
  const named = namedDelimiter(start);
  // The line break of `sep=` remains, as an empty line.
  const text = named === null ? start : start.slice(named.length);
  const delimiter = options.delimiter ?? named?.delimiter ?? null;
  const reading = readingOf(text, isWhole, { ...options, delimiter });
  // Whatever is too long is refused for that.
  if (reading.width === 0 && !isWhole) for await (const piece of opened.text) void piece;
  const columns = tableOf(reading, options.column ?? null);
  const lines = new RowLines();
  const described = (): ListHeader => {
    const format = {
      delimiter: reading.delimiter,
      header: reading.header?.line ?? null,
      column: columns.names[columns.email] ?? '',
      encoding: opened.encoding(),
      warning: opened.isDoubtful() ? OTHER_ENCODING : null,
      lines: lines.list(),
    };
    const { bom } = opened;
    const names = { columns: [...columns.names], hasHeader: reading.header !== null };
    return { ...emptyHeader(), bom, delimiter: reading.delimiter, ...names, format };
  };
  const records = new CsvRecords(reading);
  const entries = (read: () => CsvRecord[]) =>
    asMalformedList(columns.names, read)
      .filter(({ line }) => line >= reading.firstRow)
      .map((record) => {
        lines.add(record.line);
        return entryIn(record, columns, reading, options);
      });
  let header = described();
  for await (const piece of joined(text, opened.text)) {
    const found = entries(() => records.push(piece));
    if (columns.names.length !== header.columns?.length) header = described();
    yield { entries: found, header };
  }
  // The encoding is that of the first character that is not ASCII.
  yield { entries: entries(() => records.end()), header: described() };
}

async function startOf(
  text: AsyncGenerator<string, void, undefined>,
): Promise<{ start: string; isWhole: boolean }> {
  const sample = new CsvSample();
  for (;;) {
    const next = await text.next();
    if (next.done === true) return { start: sample.text, isWhole: true };
    if (sample.push(next.value)) return { start: sample.text, isWhole: false };
  }
}

function tableOf(reading: CsvReading, given: string | null): CsvColumns {
  const column = requireColumn(reading, given);
  const { header } = reading;
  if (header !== null) requireCells(header);
  const width = header?.cells.length ?? Math.min(reading.width, MAX_CELLS);
  return columnsOf(header?.cells ?? null, width, column);
}

/**
 * With the cells of the other columns, up to the last one that is not empty; and the cell of the address, if there is
 * more in it.
 */
function entryIn(
  record: CsvRecord,
  columns: CsvColumns,
  reading: CsvReading,
  { extracts, lines }: ListOptions,
): ListEntry {
  const { cells, line } = record;
  requireCells(record);
  const { names, email: at } = columns;
  requireApart(record, columns, reading.delimiter);
  let width = cells.length;
  while (cells[width - 1] === '') width--;
  if (width > names.length) addColumns(columns, width);
  const written = cells[at] ?? '';
  const { address: email, found } =
    extracts === true ? addressInCell(written) : { address: withoutTextMark(written), found: 0 };
  const own = found > 0 ? written : null;
  const place = lines === true ? { line } : {};
  if (names.length === 1) return { email, ref: own === null ? null : [own], ...place };
  const others: (string | null)[] = cells.slice(0, Math.max(width, at + 1));
  while (others.length < at) others.push('');
  others[at] = own;
  requireRoom(others, names, line);
  return { email, ref: others, ...place };
}

function requireCells({ cells, line }: CsvRecord): void {
  if (cells.length > MAX_CELLS) throw malformed(line, `A row may have at most ${MAX_CELLS} cells.`);
}

function requireRoom(cells: Cells, names: readonly string[], line: number): void {
  const characters = cells.reduce((sum, cell) => sum + (cell?.length ?? 0), 0);
  if (characters * MAX_BYTES_PER_CHARACTER <= MAX_OTHER_BYTES) return;
  const sizes = cells.map((cell) => Buffer.byteLength(cell ?? ''));
  const size = sizes.reduce((sum, bytes) => sum + bytes, 0);
  if (size <= MAX_OTHER_BYTES) return;
  const longest = names[sizes.indexOf(greatest(sizes))] ?? '';
  throw malformed(
    line,
    `The other columns of a row may have at most ${MAX_OTHER_BYTES} bytes together. They have ${size}, most of them in ${shown(longest)}.`,
  );
}
