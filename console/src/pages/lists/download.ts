import type { BulkJob, Mode, Status } from '../../api/client';
import { saveFile } from '../../ui/save-file';
import type { KeptFileTask } from './kept/kept-file.worker';
import type { KeptFile } from './kept/kept-files';
import type { ColumnKind } from './new-list/workbook-cells';
import { openResults } from './results';
import { runWorker } from './run-worker';

export const STATUSES = ['deliverable', 'risky', 'unknown', 'undeliverable'] as const satisfies Status[];

export type FileKind = 'xlsx' | 'csv';

/** What a file has. */
export interface Choice {
  statuses: readonly Status[];
  /** As in the query of the API; undefined: all. */
  columns: string | undefined;
  /** Only the first row of each address. */
  isDistinct: boolean;
  kind: FileKind;
}

/** The own columns of a list, as far as this browser has or knows them. */
export interface OwnColumns {
  /** Joined with the results; null: these have their own columns, or none are wanted. */
  file: KeptFile | null;
  /** Of the columns of a workbook that was sent as a whole. */
  kinds: readonly ColumnKind[] | null;
}

const TYPES: Readonly<Record<FileKind, string>> = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv',
};

/** A CSV that is read here; cells are guarded when they are written. */
const READ_HERE = { formula_guard: 'false', bom: 'false', delimiter: ',' };

/**
 * Saves results in the order of the list.
 *
 * @param mode of the list.
 * @param report called with the number of bytes so far.
 */
export async function downloadResults(
  job: BulkJob,
  { statuses, columns, isDistinct, kind }: Choice,
  { file, kinds }: OwnColumns,
  mode: Mode,
  report: (bytes: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const isAll = statuses.length === STATUSES.length;
  const delimiter = delimiterFor(file?.delimiter ?? job.format?.delimiter ?? ',');
  const isReadHere = file !== null || (kinds !== null && kind === 'xlsx');
  const filter = {
    ...(!isAll && { status: statuses.join(',') }),
    ...(isDistinct && { distinct: 'true' }),
    columns,
    ...(isReadHere ? READ_HERE : kind === 'csv' && { bom: 'true', delimiter }),
  };
  const response = await openResults(job.id, TYPES[isReadHere ? 'csv' : kind], filter, signal);
  let bytes = 0;
  const result = await readAll(response, (count) => report((bytes += count)));
  const task = (): KeptFileTask =>
    file !== null ? { file, result, kind, delimiter } : { kinds: kinds ?? [], result };
  const saved = isReadHere ? await runWorker<Blob>('keptFile', task(), signal) : result;
  const what = isAll ? 'verified' : statuses.join('-');
  saveFile(new Blob([saved], { type: TYPES[kind] }), fileNameOf(job, what, mode, kind));
}

/** Excel divides at semicolons where a comma is in numbers. Other delimiters than a comma stay. */
function delimiterFor(own: string): string {
  const hasDecimalComma = new Intl.NumberFormat(navigator.language).format(0.5).includes(',');
  return own === ',' && hasDecimalComma ? ';' : own;
}

/** A browser keeps a large Blob on the disk. */
async function readAll(response: Response, count: (bytes: number) => void): Promise<Blob> {
  if (response.body === null) return new Blob();
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform: (chunk, controller) => {
        count(chunk.byteLength);
        controller.enqueue(chunk);
      },
    }),
  );
  return new Response(counted).blob();
}

/** The results of a test key are made up, which the file says wherever it goes. */
function fileNameOf({ name, id }: BulkJob, what: string, mode: Mode, kind: FileKind): string {
  const safe = (name ?? id).replace(/[^\p{L}\p{N}._ -]+/gu, '_').slice(0, 80);
  return `${safe}-${what}${mode === 'test' ? '-TEST' : ''}.${kind}`;
}
