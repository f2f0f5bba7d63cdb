import { CsvRecords } from '../../../src/kernel/list-files/csv/csv-records.js';
import {
  namedDelimiter,
  readingOf,
  type CsvOptions,
} from '../../../src/kernel/list-files/csv/csv-reading.js';

/** The table as it is read: the header, and the cells of the column with the addresses. */
export function tableOf(text: string, options: CsvOptions = {}) {
  const named = namedDelimiter(text);
  const rest = named === null ? text : text.slice(named.length);
  const reading = readingOf(rest, true, { ...options, delimiter: options.delimiter ?? named?.delimiter });
  const records = new CsvRecords(reading);
  const rows = [...records.push(rest), ...records.end()].filter(({ line }) => line >= reading.firstRow);
  const { delimiter, header, column, trouble, separator } = reading;
  return {
    delimiter,
    header: header?.cells ?? null,
    line: header?.line ?? null,
    column,
    trouble,
    separator,
    emails: rows.map(({ cells }) => (column === null ? '' : (cells[column] ?? ''))),
  };
}
