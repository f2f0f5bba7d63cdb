import type { BulkJob } from '../../../api/client';
import { listPagesEn } from '../../../texts/lists/list-pages.en';
import { useTexts } from '../../../texts/texts';
import { styles } from '../../../ui/ui';
import { useKeptFile } from './use-kept-file';

/** Says where the other columns of a list are, if the service has none. */
export function KeptNote({ job }: { job: BulkJob }) {
  const t = useTexts(listPagesEn);
  const file = useKeptFile(job);
  if (file === undefined) return null;
  return (
    <p role="note" className={styles.muted}>
      {file === null ? t.kept.elsewhere : t.kept.here}
    </p>
  );
}
