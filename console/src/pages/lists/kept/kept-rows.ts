import { csvRecords } from './csv-records';
import type { KeptFile } from './kept-files';

/** The cells of some rows of the sheet, from 1. */
export async function readRows(file: KeptFile, rows: readonly number[]): Promise<Map<number, string[]>> {
  const wanted = new Set(rows);
  const found = new Map<number, string[]>();
  for await (const records of csvRecords(file)) {
    for (const { row, cells } of records) if (wanted.has(row)) found.set(row, cells);
    if (found.size === wanted.size) break;
  }
  return found;
}
