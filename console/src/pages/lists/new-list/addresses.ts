import { isEmptyLine, type TableFile } from './table-file';
import { csvRecords } from '../kept/csv-records';
import { refOf } from '../kept/row-ref';

/** The service stores no more characters. */
const MAX_ADDRESS = 1_000;

/** What is sent of a file, and its width. A CSV of one column would lose rows without an address. */
export async function addressesOf(
  { lines, encoding, delimiter, hasHeader }: TableFile,
  column: number,
  upload: string,
): Promise<{ body: Blob; width: number }> {
  const parts: string[] = [];
  let isHeader = hasHeader;
  let row = 0;
  let width = 0;
  for await (const records of csvRecords(lines, encoding, delimiter)) {
    let part = '';
    for (const record of records) {
      row++;
      if (isEmptyLine(record)) continue;
      width = Math.max(width, record.length);
      const email = (record[column] ?? '').slice(0, MAX_ADDRESS);
      if (!isHeader) part += `${JSON.stringify({ email, ref: refOf(upload, row) })}\n`;
      isHeader = false;
    }
    parts.push(part);
  }
  return { body: new Blob(parts, { type: 'application/x-ndjson' }), width };
}
