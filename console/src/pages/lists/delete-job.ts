import type { QueryClient } from '@tanstack/react-query';
import { api } from '../../api/client';
import { removeJob } from './kept/kept-files';

/** Deletes a list, and its columns in this browser. */
export async function deleteJob(id: string, client: QueryClient): Promise<void> {
  await api.DELETE('/v1/bulk-jobs/{id}', { params: { path: { id } } });
  await removeJob(id).catch(() => undefined);
  await client.invalidateQueries({ queryKey: ['jobs'] });
}
