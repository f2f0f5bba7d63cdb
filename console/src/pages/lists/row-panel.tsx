import type { KeyboardEvent } from 'react';
import type { BulkJob } from '../../api/client';
import { useTexts } from '../../texts/texts';
import { Dialog } from '../../ui/dialog';
import { Button, styles } from '../../ui/ui';
import { VerdictView } from '../verify/verdict-view';
import { parseRef } from './kept/row-ref';
import { sheetRow, verdictOf, type Row } from './results';

/** The verdict of a row beside the table, with ways to the rows before and after it. */
export function RowPanel({
  job,
  rows,
  row,
  onOpen,
}: {
  job: BulkJob;
  rows: readonly Row[];
  row: Row;
  onOpen: (index: number | null) => void;
}) {
  const t = useTexts();
  const verdict = verdictOf(row);
  const done = rows.filter(({ status }) => status !== null);
  const at = done.findIndex(({ index }) => index === row.index);
  const [before, after] = [done[at - 1], done[at + 1]];
  const go = (to: Row | undefined) => to && onOpen(to.index);
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    go(event.key === 'ArrowUp' ? before : after);
  };
  if (verdict === null) return null;
  return (
    <Dialog
      title={`${t.job.row} ${sheetRow(job, row)}`}
      isPanel
      onKeyDown={onKey}
      onClose={() => onOpen(null)}
      action={
        <>
          <Button small disabled={!before} aria-label={t.job.previousRow} onClick={() => go(before)}>
            ↑
          </Button>
          <Button small disabled={!after} aria-label={t.job.nextRow} onClick={() => go(after)}>
            ↓
          </Button>
        </>
      }
    >
      <VerdictView key={row.index} verdict={verdict} />
      <OwnColumns row={row} />
    </Dialog>
  );
}

function OwnColumns({ row }: { row: Row | null }) {
  const ref = row?.ref ?? null;
  if (ref === null || parseRef(ref) !== null) return null;
  const columns = typeof ref === 'string' ? { ref } : ref;
  return (
    <dl>
      {Object.entries(columns).map(([name, value]) => (
        <div key={name} className={styles.row}>
          <dt className={styles.muted}>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
