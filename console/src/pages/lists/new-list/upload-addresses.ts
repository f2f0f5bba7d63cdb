import { api, type BulkJob } from '../../../api/client';
import { ApiError } from '../../../api/problem';
import { currentKey } from '../../../api/session';
import type { TableFile } from './table-file';
import { uploadList, type Upload } from './upload';
import { addressesOf } from './addresses';
import { addJob, allFiles, deleteFile, removeJob, saveFile } from '../kept/kept-files';

/** The upload of a file without a job may still arrive for so long. */
const UPLOAD_MS = 86_400_000;

export interface AddressUpload extends Omit<Upload, 'body' | 'type'> {
  table: TableFile;
  column: number;
  /** The same for retries of the upload. */
  id: string;
  scope: string;
}

/**
 * Sends the addresses. The file is stored first, so that no list loses its columns.
 *
 * @throws KeptFilesFull, DOMException from the storage, ApiError, ConnectionLost
 */
export async function uploadAddresses(upload: AddressUpload): Promise<BulkJob> {
  const { table, column, id, scope, ...request } = upload;
  const key = currentKey();
  const { lines, encoding, delimiter, divided, header } = table;
  const { body, width } = await addressesOf(table, column, id);
  await deleteUnused(scope, key);
  const kinds = table.kinds ?? undefined;
  const how = { lines, encoding, delimiter, divided, header, column, width, ...(kinds && { kinds }) };
  await saveFile({ id, scope, jobs: [], savedAt: Date.now(), ...how });
  const job = await uploadList({ ...request, key, body, type: 'application/x-ndjson' });
  await addJob(id, job.id);
  return job;
}

/** Deletes files whose jobs have expired, or were deleted in another browser. */
async function deleteUnused(scope: string, key: string | null): Promise<void> {
  for (const file of await allFiles()) {
    if (file.scope !== scope) continue;
    if (file.jobs.length === 0 && file.savedAt < Date.now() - UPLOAD_MS) await deleteFile(file.id);
    for (const job of file.jobs) if (await isGone(job, key)) await removeJob(job);
  }
}

async function isGone(id: string, key: string | null): Promise<boolean> {
  try {
    const headers = { Authorization: `Bearer ${key}` };
    await api.GET('/v1/bulk-jobs/{id}', { params: { path: { id } }, headers });
    return false;
  } catch (error) {
    return error instanceof ApiError && error.status === 404;
  }
}
