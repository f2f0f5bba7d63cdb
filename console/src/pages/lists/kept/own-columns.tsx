import { useQuery } from '@tanstack/react-query';
import type { BulkJob } from '../../../api/client';
import { listPagesEn } from '../../../texts/lists/list-pages.en';
import { useTexts } from '../../../texts/texts';
import { Card } from '../../../ui/ui';
import { Untrusted } from '../../../ui/untrusted';
import css from '../lists.module.css';
import type { Row } from '../results';
import { runWorker } from '../run-worker';
import { ownNames } from './join';
import type { KeptFileTask } from './kept-file.worker';
import { parseRef } from './row-ref';
import { useKeptFile } from './use-kept-file';

/** The other columns of a row: those that the service has, or those that stayed in this browser. */
export function OwnColumns({ job, rows, row }: { job: BulkJob; rows: readonly Row[]; row: Row }) {
  const t = useTexts(listPagesEn);
  const kept = useKeptColumns(job, rows, row);
  const columns = Object.entries(kept ?? sentColumns(row));
  if (columns.length === 0) return null;
  return (
    <Card title={t.kept.columns}>
      <dl className={css.columns}>
        {columns.map(([name, value]) => (
          <div key={name}>
            <dt>
              <Untrusted text={name} />
            </dt>
            <dd>
              <Untrusted text={value} />
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

function sentColumns({ ref }: Row): Record<string, string> {
  if (ref === null || parseRef(ref) !== null) return {};
  return typeof ref === 'string' ? { ref } : ref;
}

/** One reading of the file is enough for all rows of a page. null: they are not in this browser, or not read yet. */
function useKeptColumns(job: BulkJob, rows: readonly Row[], row: Row): Record<string, string> | null {
  const file = useKeptFile(job);
  const numbers = rows.flatMap(({ ref }) => parseRef(ref)?.row ?? []);
  const cells = useQuery({
    queryKey: ['kept-rows', file?.id, numbers],
    queryFn: ({ signal }) => {
      if (!file) throw new Error('No file');
      const task: KeptFileTask = { file, rows: numbers };
      return runWorker<Map<number, string[]>>('keptFile', task, signal);
    },
    enabled: Boolean(file),
    staleTime: Infinity,
  });
  const own = cells.data?.get(parseRef(row.ref)?.row ?? 0);
  if (!file || own === undefined) return null;
  const columns = ownNames(file).map((name, at) => [name, own[at] ?? ''] as const);
  return Object.fromEntries(columns.filter((_, at) => at !== file.column));
}
