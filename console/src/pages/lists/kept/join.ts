import { guardFormula } from '../../../../../src/kernel/text/formula-guard';
import { csvRecords } from './csv-records';
import type { KeptFile } from './kept-files';
import { parseRef } from './row-ref';

/** Columns of results that name the row. */
const OF_ROW = ['index', 'email', 'ref'];
/** Delimiters that a spreadsheet may split a CSV at, whatever its own is. */
const DELIMITERS = [',', ';', '\t'];
const BYTE_ORDER_MARK = '\uFEFF';

/** Results in the order of the list. */
interface Verdicts {
  names: string[];
  /** `row` of the sheet; null: the service has erased the address. */
  rows: { row: number | null; cells: string[] }[];
}

/** Results are of other rows than those of the file. */
class OtherFile extends Error {}

/**
 * The rows of the file with their verdicts, as a CSV for Excel.
 *
 * @param results as CSV with a `ref`; the rows of one follow those of the other.
 */
export async function joinResults(file: KeptFile, results: readonly Blob[]): Promise<Blob> {
  const { delimiter } = file;
  const others = DELIMITERS.filter((other) => other !== delimiter);
  const line = (cells: readonly string[]) => csvLine(cells, delimiter, others);
  const parts: string[] = [];
  for (const result of results) {
    const { names, rows } = await verdictsIn(result);
    if (parts.length === 0) parts.push(BYTE_ORDER_MARK + line([...ownNames(file, names), ...names]));
    for await (const part of joined(file, rows, line)) parts.push(part);
  }
  return new Blob(parts, { type: 'text/csv' });
}

async function* joined(
  file: KeptFile,
  rows: Verdicts['rows'],
  line: (cells: readonly string[]) => string,
): AsyncGenerator<string> {
  const own = (cells: readonly string[]) => Array.from({ length: file.width }, (_, at) => cells[at] ?? '');
  let next = 0;
  let row = 0;
  const erased = () => {
    let lines = '';
    for (; rows[next]?.row === null; next++) lines += line([...own([]), ...(rows[next]?.cells ?? [])]);
    return lines;
  };
  for await (const records of csvRecords(file.lines, file.encoding, file.delimiter)) {
    let part = '';
    for (const record of records) {
      row++;
      part += erased();
      const found = rows[next];
      if (found?.row !== row) continue;
      part += line([...own(record), ...found.cells]);
      next++;
    }
    yield part;
  }
  yield erased();
  if (next < rows.length) throw new OtherFile();
}

async function verdictsIn(result: Blob): Promise<Verdicts> {
  let header: string[] | null = null;
  const rows: Verdicts['rows'] = [];
  for await (const records of csvRecords(result, 'utf-8', ',')) {
    for (const record of records) {
      if (header === null) {
        header = record;
        continue;
      }
      const names = header;
      const row = parseRef(record[names.indexOf('ref')])?.row ?? null;
      rows.push({ row, cells: record.filter((_, at) => !OF_ROW.includes(names[at] ?? '')) });
    }
  }
  return { names: (header ?? []).filter((name) => !OF_ROW.includes(name)), rows };
}

/** As the service names columns: unique, and apart from those of the verdict. */
function ownNames({ header, width, column }: KeptFile, verdict: readonly string[]): string[] {
  const used = new Set<string>();
  return Array.from({ length: width }, (_, at) => {
    const number = `column_${at + 1}`;
    const given = header === null ? (at === column ? 'email' : number) : header[at] || number;
    const name = verdict.includes(given) ? `input_${given}` : given;
    let free = name;
    for (let count = 2; used.has(free); count++) free = `${name}_${count}`;
    used.add(free);
    return free;
  });
}

function csvLine(cells: readonly string[], delimiter: string, others: readonly string[]): string {
  const written = cells.map((cell) => {
    const guarded = guardFormula(cell, others);
    const mustQuote = [delimiter, ...others, '"', '\r', '\n'].some((separator) =>
      guarded.includes(separator),
    );
    return mustQuote ? `"${guarded.replaceAll('"', '""')}"` : guarded;
  });
  return `${written.join(delimiter)}\n`;
}
