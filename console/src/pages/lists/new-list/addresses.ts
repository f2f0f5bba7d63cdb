import { addressInCell } from '../../../../../src/kernel/text/addresses-in-text';
import { csvRecords } from '../kept/csv-records';
import { refOf } from '../kept/row-ref';
import type { TableFile } from './table-file';

/** The service stores no more characters. */
const MAX_ADDRESS = 1_000;

/** What is sent of a file, and its width. A CSV of one column would lose rows without an address. */
export async function addressesOf(
  table: TableFile,
  column: number,
  upload: string,
): Promise<{ body: Blob; width: number }> {
  const parts: string[] = [];
  let width = 0;
  for await (const records of csvRecords(table)) {
    let part = '';
    for (const { cells, line, row } of records) {
      width = Math.max(width, cells.length);
      if (line < table.firstRow) continue;
      const email = addressInCell(cells[column] ?? '').address.slice(0, MAX_ADDRESS);
      part += `${JSON.stringify({ email, ref: refOf(upload, row) })}\n`;
    }
    parts.push(part);
  }
  return { body: new Blob(parts, { type: 'application/x-ndjson' }), width };
}
