import type { BulkJob, Status } from '../../api/client';
import { saveFile } from '../../ui/save-file';
import type { KeptFileTask } from './kept/kept-file.worker';
import type { KeptFile } from './kept/kept-files';
import { openResults } from './results';
import { runWorker } from './run-worker';

export const STATUSES = ['deliverable', 'risky', 'unknown', 'undeliverable'] as const satisfies Status[];

export type FileKind = 'xlsx' | 'csv';

/** What a file has. */
export interface Choice {
  statuses: readonly Status[];
  /** As in the query of the API; undefined: all. */
  columns: string | undefined;
  kind: FileKind;
}

const TYPES: Readonly<Record<FileKind, string>> = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv',
};

/** A CSV that names rows by `ref`; cells are guarded when they are joined. */
const JOINED = { formula_guard: 'false', bom: 'false' };

/** Only the service writes a workbook that is not joined, which has the rows of one request. */
export const canBeParts = (kind: FileKind, isJoined: boolean) => kind === 'csv' || isJoined;

/**
 * Saves results: everything in the order of the list, or the rows of some statuses. One status follows the
 * other, because the API filters by one status at a time.
 *
 * @param file joined with the results; null: they have their own columns.
 * @param report called with the number of bytes so far.
 */
export async function downloadResults(
  job: BulkJob,
  { statuses, columns, kind }: Choice,
  file: KeptFile | null,
  report: (bytes: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const parts: Blob[] = [];
  let bytes = 0;
  const isAll = statuses.length === STATUSES.length;
  for (const status of isAll ? [undefined] : statuses) {
    const how = file !== null ? JOINED : kind === 'csv' ? { bom: 'true' } : {};
    const type = TYPES[file === null ? kind : 'csv'];
    const response = await openResults(job.id, type, { status, columns, ...how }, signal);
    parts.push(await readAll(response, (count) => report((bytes += count))));
  }
  const saved = file === null ? await withOneHeader(parts) : [await joined(file, parts, kind, signal)];
  const suffix = isAll ? 'verified' : statuses.join('-');
  saveFile(new Blob(saved, { type: TYPES[kind] }), `${fileName(job.name ?? job.id)}-${suffix}.${kind}`);
}

async function withOneHeader([first, ...rest]: readonly Blob[]): Promise<Blob[]> {
  const bodies = rest.map(async (part) => part.slice(await headerLength(part)));
  return [first ?? new Blob(), ...(await Promise.all(bodies))];
}

function joined(
  file: KeptFile,
  results: readonly Blob[],
  kind: FileKind,
  signal: AbortSignal,
): Promise<Blob> {
  const task: KeptFileTask = { file, results, kind };
  return runWorker('keptFile', task, signal);
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

const MAX_HEADER_BYTES = 1_000_000;

/** The length of the first record; a line break between quotes is part of a name. */
async function headerLength(file: Blob): Promise<number> {
  const bytes = new Uint8Array(await file.slice(0, MAX_HEADER_BYTES).arrayBuffer());
  const [quote, lineFeed] = [0x22, 0x0a];
  let isQuoted = false;
  for (const [index, byte] of bytes.entries()) {
    if (byte === quote) isQuoted = !isQuoted;
    if (byte === lineFeed && !isQuoted) return index + 1;
  }
  return bytes.length;
}

function fileName(name: string): string {
  return name.replace(/[^\p{L}\p{N}._ -]+/gu, '_').slice(0, 80);
}
