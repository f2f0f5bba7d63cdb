import { addressInCell, withoutTextMark } from '../../kernel/text/addresses-in-text.js';
import { addColumns, columnsOf, type CsvColumns } from '../../kernel/text/csv/csv-columns.js';
import { CsvRecords, type CsvRecord } from '../../kernel/text/csv/csv-records.js';
import { CsvSample, namedDelimiter, readingOf, type CsvReading } from '../../kernel/text/csv/csv-reading.js';
import type { Cells, ListEntry } from '../../kernel/list-files/list-entry.js';
import type { ListHeader, ListOptions } from '../../kernel/list-files/list-format.js';
import { asMalformedList, malformed, requireApart, requireColumn, shown } from './csv-faults.js';
import { joined, openCsvText } from './csv-text.js';

/** Of the other columns of a row together, in UTF-8. */
const MAX_OTHER_BYTES = 16_384;
/** Of a UTF-16 code unit in UTF-8. */
const MAX_BYTES_PER_CHARACTER = 3;
const MAX_CELLS = 1_000;

/**
 * Reads a CSV. Delimiter, header and the column with the addresses are found in its first lines; the other columns
 * are returned with the result.
 *
 * @throws MalformedList with the line.
 */
export async function* csvList(
  body: AsyncIterable<Buffer>,
  header: ListHeader,
  options: ListOptions = {},
): AsyncGenerator<readonly ListEntry[], void, undefined> {
  const opened = await openCsvText(body, options.encoding ?? null);
  const { start, isWhole } = await startOf(opened.text);
  const named = namedDelimiter(start);
  // The line break of `sep=` remains, as an empty line.
  const text = named === null ? start : start.slice(named.length);
  const delimiter = options.delimiter ?? named?.delimiter ?? null;
  const reading = readingOf(text, isWhole, { ...options, delimiter });
  // Whatever is too long is refused for that.
  if (reading.width === 0 && !isWhole) for await (const piece of opened.text) void piece;
  const columns = tableOf(reading, options.column ?? null);
  const describe = () => {
    const format = {
      delimiter: reading.delimiter,
      header: reading.header?.line ?? null,
      column: columns.names[columns.email] ?? '',
      encoding: opened.encoding(),
    };
    Object.assign(header, {
      bom: opened.bom,
      delimiter: reading.delimiter,
      columns: columns.names,
      hasHeader: reading.header !== null,
      format,
    });
  };
  describe();
  const records = new CsvRecords(reading);
  const entries = (read: () => CsvRecord[]) =>
    asMalformedList(columns.names, read).flatMap((record) =>
      record.line < reading.firstRow ? [] : entryIn(record, columns, reading, options),
    );
  for await (const piece of joined(text, opened.text)) yield entries(() => records.push(piece));
  yield entries(() => records.end());
  // The encoding is that of the first character that is not ASCII.
  describe();
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
  return columnsOf(reading.header?.cells ?? null, reading.header?.cells.length ?? reading.width, column);
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
  if (cells.length > MAX_CELLS) throw malformed(line, `A row may have at most ${MAX_CELLS} cells.`);
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
  const others = Array.from({ length: Math.max(width, at + 1) }, (_, index) =>
    index === at ? own : (cells[index] ?? ''),
  );
  requireRoom(others, names, line);
  return { email, ref: others, ...place };
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
    `The other columns of a row may have at most ${MAX_OTHER_BYTES} bytes together. They have ${size}, most of them in ${shown(longest)}.`,
  );
}
