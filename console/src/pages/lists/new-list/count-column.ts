import { addressInCell } from '../../../../../src/kernel/text/addresses-in-text';
import { CsvFault } from '../../../../../src/kernel/list-files/csv/csv-records';
import { isNoValue } from '../../../../../src/kernel/text/no-value';
import { withoutSurroundingSpace } from '../../../../../src/kernel/text/surrounding-space';
import { csvRecords } from '../kept/csv-records';
import type { TableFile } from './table-file';
import { greatest } from '../../../../../src/kernel/long-lists';

export interface ColumnCount {
  rows: number;
  /** Cells that are not empty. */
  addresses: number;
  distinct: number;
  /** Cells with a text around the address that is used. */
  named: number;
  /** Cells with several addresses, of which the first is used. */
  several: number;
  /** The line of a quote that is not closed; null: there is none. */
  openQuote: number | null;
  /** The first row that the service refuses; null: none. */
  refused: RefusedRow | null;
}

export interface RefusedRow {
  /** Where it begins in the file, from 1. */
  line: number;
  /** The longest of its other cells, which are too long together; null: the row has too many cells. */
  column: number | null;
}

// As the service has them.

/** Beside the address of a row, in UTF-8. */
const MAX_OTHER_BYTES = 16_384;
export const MAX_CELLS = 1_000;

/** Counts what a column would cost, without keeping its cells. */
export async function countColumn(table: TableFile, column: number): Promise<ColumnCount> {
  const { firstRow, firstLine } = table;
  const seen = new Set<number>();
  const count = {
    rows: 0,
    addresses: 0,
    named: 0,
    several: 0,
    openQuote: null as number | null,
    refused: null as RefusedRow | null,
  };
  try {
    for await (const records of csvRecords(table))
      for (const { cells, line: inLines } of records) {
        const line = inLines + firstLine - 1;
        if (cells.length > MAX_CELLS) count.refused ??= { line, column: null };
        if (inLines < firstRow) continue;
        const longest = longestIn(cells, column);
        if (longest !== null) count.refused ??= { line, column: longest };
        count.rows++;
        const { address, found } = addressInCell(cells[column] ?? '');
        const text = withoutSurroundingSpace(address);
        if (isNoValue(text)) continue;
        count.addresses++;
        if (found === 1) count.named++;
        if (found > 1) count.several++;
        seen.add(hashOf(text.toLowerCase()));
      }
  } catch (error) {
    if (!(error instanceof CsvFault)) throw error;
    const line = error.line + firstLine - 1;
    if (error.isQuoted) count.openQuote = line;
    else count.refused ??= { line, column: error.column };
  }
  return { ...count, distinct: seen.size };
}

/** The longest cell beside the address, if these cells are too long together. */
function longestIn(cells: readonly string[], column: number): number | null {
  const others = cells.map((cell, index) => (index === column ? '' : cell));
  const characters = others.reduce((sum, cell) => sum + cell.length, 0);
  // A character has at most three bytes.
  if (characters * 3 <= MAX_OTHER_BYTES) return null;
  const bytes = others.map((cell) => new TextEncoder().encode(cell).length);
  if (bytes.reduce((sum, length) => sum + length, 0) <= MAX_OTHER_BYTES) return null;
  return bytes.indexOf(greatest(bytes));
}

/** 53 bits: among a million cells a collision has a probability of about 10⁻⁴. */
function hashOf(text: string): number {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, 2_654_435_761);
    low = Math.imul(low ^ code, 1_597_334_677);
  }
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
  return 4_294_967_296 * (2_097_151 & low) + (high >>> 0);
}
