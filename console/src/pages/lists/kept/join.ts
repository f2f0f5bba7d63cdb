import { csvRecords } from './csv-records';
import type { KeptFile } from './kept-files';
import { parseRef } from './row-ref';
import { append } from '../../../../../src/kernel/long-lists';

/** Columns of results that name the row. */
const OF_ROW = ['index', 'email', 'ref'];

/** Results in the order of the list. */
interface Verdicts {
  names: string[];
  /** `row` of the sheet; null: the service has erased the address. */
  rows: { row: number | null; cells: string[] }[];
}

/** Results are of other rows than those of the file. */
class OtherFile extends Error {}

/**
 * The header, then the rows of the file with their verdicts, in batches. A row has first the cells of the file.
 *
 * @param result as CSV with a `ref`.
 */
export async function* joinResults(
  file: KeptFile,
  result: Blob,
): AsyncGenerator<string[][], void, undefined> {
  const { names, rows } = await verdictsIn(result);
  yield [[...ownNames(file, names), ...names]];
  yield* joined(file, rows);
}

async function* joined(file: KeptFile, rows: Verdicts['rows']): AsyncGenerator<string[][]> {
  const own = (cells: readonly string[]) => Array.from({ length: file.width }, (_, at) => cells[at] ?? '');
  let next = 0;
  const erased = () => {
    const from = next;
    while (rows[next]?.row === null) next++;
    return rows.slice(from, next).map(({ cells }) => [...own([]), ...cells]);
  };
  for await (const records of csvRecords(file)) {
    const found: string[][] = [];
    for (const { row, cells } of records) {
      append(found, erased());
      const verdict = rows[next];
      if (verdict?.row !== row) continue;
      found.push([...own(cells), ...verdict.cells]);
      next++;
    }
    yield found;
  }
  yield erased();
  if (next < rows.length) throw new OtherFile();
}

async function verdictsIn(result: Blob): Promise<Verdicts> {
  let header: string[] | null = null;
  const rows: Verdicts['rows'] = [];
  for await (const records of csvRecords({ lines: result, encoding: 'utf-8', delimiter: ',' })) {
    for (const { cells } of records) {
      if (header === null) {
        header = cells;
        continue;
      }
      const names = header;
      const row = parseRef(cells[names.indexOf('ref')])?.row ?? null;
      rows.push({ row, cells: cells.filter((_, at) => !OF_ROW.includes(names[at] ?? '')) });
    }
  }
  return { names: (header ?? []).filter((name) => !OF_ROW.includes(name)), rows };
}

/** As the service names columns: unique, and apart from those of the verdict. */
export function ownNames({ header, width, column }: KeptFile, verdict: readonly string[] = []): string[] {
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
