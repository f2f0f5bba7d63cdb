import { LOCAL_DATABASE } from '../../../api/local-database';
import type { CsvFile } from './csv-records';
import type { ColumnKind } from '../new-list/workbook-cells';

/** A file whose other columns the service does not get, and how to read it. */
export interface KeptFile extends CsvFile {
  /** Of the upload; part of every `ref`. */
  id: string;
  /** Whose jobs they are. */
  scope: string;
  jobs: readonly string[];
  savedAt: number;
  /** A CSV, or a sheet as one. */
  lines: Blob;
  header: readonly string[] | null;
  /** The index of the column with the addresses. */
  column: number;
  /** The number of cells of the longest row. */
  width: number;
  /** Of the columns of a workbook; absent: the file was none. */
  kinds?: readonly ColumnKind[];
}

const MEGABYTE = 1_000_000;
/** Of all files together. */
export const MAX_MEGABYTES = 500;
const FILES = 'files';

/** The files have more bytes than they may have together. */
export class KeptFilesFull extends Error {}

/** @throws KeptFilesFull, or DOMException when the browser stores nothing, or no more. */
export async function saveFile(file: KeptFile): Promise<void> {
  const others = (await allFiles()).filter(({ id }) => id !== file.id);
  const bytes = others.reduce((sum, { lines }) => sum + lines.size, file.lines.size);
  if (bytes > MAX_MEGABYTES * MEGABYTE) throw new KeptFilesFull();
  await within('readwrite', (files) => files.put(file));
}

/** @returns null: another browser has it, or it was deleted. */
export async function findFile(id: string): Promise<KeptFile | null> {
  return (await within<KeptFile | undefined>('readonly', (files) => files.get(id))) ?? null;
}

export function allFiles(): Promise<KeptFile[]> {
  return within<KeptFile[]>('readonly', (files) => files.getAll());
}

export async function deleteFile(id: string): Promise<void> {
  await within('readwrite', (files) => files.delete(id));
}

/** The job has rows of the file. */
export async function addJob(id: string, job: string): Promise<void> {
  const file = await findFile(id);
  if (file === null || file.jobs.includes(job)) return;
  await within('readwrite', (files) => files.put({ ...file, jobs: [...file.jobs, job] }));
}

/** Deletes the file of the job, unless another job has rows of it. */
export async function removeJob(job: string): Promise<void> {
  for (const file of await allFiles()) {
    if (!file.jobs.includes(job)) continue;
    const jobs = file.jobs.filter((other) => other !== job);
    if (jobs.length === 0) await deleteFile(file.id);
    else await within('readwrite', (files) => files.put({ ...file, jobs }));
  }
}

/** With a connection of its own: an open one would delay the deletion of the database. */
async function within<T>(mode: IDBTransactionMode, act: (files: IDBObjectStore) => IDBRequest): Promise<T> {
  const database = await openDatabase();
  try {
    return await new Promise<T>((resolve, reject) => {
      const transaction = database.transaction(FILES, mode);
      const request = act(transaction.objectStore(FILES));
      transaction.oncomplete = () => resolve(request.result as T);
      transaction.onabort = () => reject(transaction.error ?? new Error('The database was closed'));
    });
  } finally {
    database.close();
  }
}

function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(LOCAL_DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(FILES, { keyPath: 'id' });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('The database cannot be opened'));
  });
}
