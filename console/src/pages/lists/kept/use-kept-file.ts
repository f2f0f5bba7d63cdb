import { useQuery } from '@tanstack/react-query';
import { api, data, type BulkJob } from '../../../api/client';
import type { Row } from '../results';
import { addJob, findFile, type KeptFile } from './kept-files';
import { parseRef } from './row-ref';

/** Some of them may have no `ref`, because the service has erased their addresses. */
const ROWS = 10;

/** The file of a list whose other columns stayed in a browser; null: another browser. undefined: another list. */
export function useKeptFile(job: BulkJob): KeptFile | null | undefined {
  const kept = useQuery({
    queryKey: ['kept', job.id],
    queryFn: async () => {
      const params = { path: { id: job.id }, query: { limit: ROWS } };
      const page = (await data(api.GET('/v1/bulk-jobs/{id}/results', { params }))) as { data: Row[] };
      const upload = page.data.map(({ ref }) => parseRef(ref)?.upload).find((id) => id !== undefined);
      if (upload === undefined) return { isKept: false, file: null };
      const file = await findFile(upload).catch(() => null);
      // A list that was verified again has the rows of the first.
      if (file !== null) await addJob(upload, job.id);
      return { isKept: true, file };
    },
    enabled: job.header === null,
    staleTime: Infinity,
  });
  return kept.data?.isKept ? kept.data.file : undefined;
}
