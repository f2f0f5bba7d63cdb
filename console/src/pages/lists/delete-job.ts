import type { QueryClient } from '@tanstack/react-query';
import { api } from '../../api/client';
import { removeJob } from './kept/kept-files';

/** Deletes a list, and its columns in this browser. @param key of its team; without one that of the session. */
export async function deleteJob(id: string, client: QueryClient, key?: string): Promise<void> {
  await api.DELETE('/v1/bulk-jobs/{id}', {
    params: { path: { id } },
    // The tab may be closed.
    keepalive: true,
    ...(key !== undefined && { headers: { Authorization: `Bearer ${key}` } }),
  });
  await removeJob(id).catch(() => undefined);
  await client.invalidateQueries({ queryKey: ['jobs'] });
}
