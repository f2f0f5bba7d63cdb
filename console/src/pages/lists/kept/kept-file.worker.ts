import { joinResults } from './join';
import type { KeptFile } from './kept-files';
import { readRows } from './kept-rows';
import { writeCsv } from './write-csv';
import { writeWorkbook } from './write-workbook';

/** What is to be done with a file. */
export type KeptFileTask = { file: KeptFile } & (
  { results: readonly Blob[]; kind: 'csv' | 'xlsx' } | { rows: readonly number[] }
);

/** Reads files beside the page, which stays responsive. */
addEventListener('message', ({ data }: MessageEvent<KeptFileTask>) => {
  done(data).then(
    (result) => postMessage({ result }),
    (error: Error) => postMessage({ error: error.message }),
  );
});

function done(task: KeptFileTask): Promise<Blob | Map<number, string[]>> {
  const { file } = task;
  if ('rows' in task) return readRows(file, task.rows);
  const rows = joinResults(file, task.results);
  return task.kind === 'csv' ? writeCsv(rows, file.delimiter) : writeWorkbook(rows, file.width);
}
