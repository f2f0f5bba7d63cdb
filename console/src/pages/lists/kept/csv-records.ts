import { CsvRecords, type CsvRecord } from '../../../../../src/kernel/text/csv/csv-records';

/** A record of a file. */
export interface NumberedRecord extends CsvRecord {
  /** Its number from 1, if empty lines are counted too. */
  row: number;
}

/** Columns that stay in the browser may have longer cells than the service takes. */
const MAX_LENGTH = 10_000_000;

/** The records of a CSV, in batches. @throws CsvFault */
export async function* csvRecords(
  file: Blob,
  encoding: string,
  delimiter: string,
): AsyncGenerator<NumberedRecord[]> {
  const records = new CsvRecords({ delimiter, hasQuotes: true, maxLength: MAX_LENGTH });
  let row = 0;
  let nextLine = 1;
  const numbered = (record: CsvRecord): NumberedRecord => {
    row += 1 + record.line - nextLine;
    nextLine = record.line + record.lines;
    return { ...record, row };
  };
  for await (const text of textOf(file, encoding)) yield records.push(text).map(numbered);
  yield records.end().map(numbered);
}

/** A character may stand in two pieces of the file. */
export async function* textOf(file: Blob, encoding: string): AsyncGenerator<string> {
  const reader = file.stream().pipeThrough(new TextDecoderStream(encoding)).getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
  } finally {
    await reader.cancel();
  }
}
