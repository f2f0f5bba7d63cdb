import { CsvRecords, type CsvRecord } from '../../../../../src/kernel/list-files/csv/csv-records';
import { EndOfFile } from '../../../../../src/kernel/text/end-of-file';
import type { DividedRows } from '../../../../../src/kernel/list-files/csv/divided-rows';

/** A record of a file. */
export interface NumberedRecord extends CsvRecord {
  /** Its number from 1, if empty lines are counted too. */
  row: number;
}

/** Columns that stay in the browser may have longer cells than the service takes. */
const MAX_LENGTH = 10_000_000;

/** A CSV, and how it is read. */
export interface CsvFile {
  lines: Blob;
  encoding: string;
  delimiter: string;
  /** How rows of one cell in quotation marks are divided; absent: they are not. */
  divided?: DividedRows | null;
}

/** The records of a CSV, in batches. @throws CsvFault */
export async function* csvRecords({
  lines,
  encoding,
  delimiter,
  divided = null,
}: CsvFile): AsyncGenerator<NumberedRecord[]> {
  const records = new CsvRecords({ delimiter, hasQuotes: true, maxLength: MAX_LENGTH, divided });
  let row = 0;
  let nextLine = 1;
  const numbered = (record: CsvRecord): NumberedRecord => {
    row += 1 + record.line - nextLine;
    nextLine = record.line + record.lines;
    return { ...record, row };
  };
  for await (const text of textOf(lines, encoding)) yield records.push(text).map(numbered);
  yield records.end().map(numbered);
}

/** Up to the marks of the end of the file. A character may stand in two pieces of it. */
export async function* textOf(file: Blob, encoding: string): AsyncGenerator<string> {
  const reader = file.stream().pipeThrough(new TextDecoderStream(encoding)).getReader();
  const end = new EndOfFile();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield end.push(part.value);
  } finally {
    await reader.cancel();
  }
}
