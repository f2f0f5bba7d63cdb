import { csvRecords } from './csv-records';
import type { KeptFile } from './kept-files';

/** The cells of some rows of the sheet, from 1. */
export async function readRows(file: KeptFile, rows: readonly number[]): Promise<Map<number, string[]>> {
  const wanted = new Set(rows);
  const found = new Map<number, string[]>();
  let row = 0;
  for await (const records of csvRecords(file.lines, file.encoding, file.delimiter)) {
    for (const record of records) if (wanted.has(++row)) found.set(row, record);
    if (found.size === wanted.size) break;
  }
  return found;
}
