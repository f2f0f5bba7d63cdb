import { csvRecords } from './csv-records';
import { joinResults } from './join';
import type { KeptFile } from './kept-files';
import { readRows } from './kept-rows';
import { writeCsv } from './write-csv';
import { writeWorkbook } from './write-workbook';
import type { ColumnKind } from '../new-list/workbook-cells';

/** What is to be done with a file, or with results that have the columns of one. */
export type KeptFileTask =
  | { file: KeptFile; result: Blob; kind: 'csv' | 'xlsx'; delimiter: string }
  | { file: KeptFile; rows: readonly number[] }
  | { kinds: readonly ColumnKind[]; result: Blob };

/** Reads files beside the page, which stays responsive. */
addEventListener('message', ({ data }: MessageEvent<KeptFileTask>) => {
  done(data).then(
    (result) => postMessage({ result }),
    (error: Error) => postMessage({ error: error.message }),
  );
});

function done(task: KeptFileTask): Promise<Blob | Map<number, string[]>> {
  if (!('file' in task)) return writeWorkbook(cellsOf(task.result), task.kinds);
  const { file } = task;
  if ('rows' in task) return readRows(file, task.rows);
  const rows = joinResults(file, task.result);
  const texts = Array.from({ length: file.width }, () => 'text' as const);
  return task.kind === 'csv' ? writeCsv(rows, task.delimiter) : writeWorkbook(rows, file.kinds ?? texts);
}

/** @param result a CSV with commas. */
async function* cellsOf(result: Blob): AsyncGenerator<string[][], void, undefined> {
  for await (const records of csvRecords({ lines: result, encoding: 'utf-8', delimiter: ',' }))
    yield records.map(({ cells }) => cells);
}
