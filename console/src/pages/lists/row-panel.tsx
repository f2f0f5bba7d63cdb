import type { KeyboardEvent } from 'react';
import type { BulkJob } from '../../api/client';
import { listPagesEn } from '../../texts/lists/list-pages.en';
import { useTexts } from '../../texts/texts';
import { Dialog } from '../../ui/dialog';
import { Button } from '../../ui/ui';
import { VerdictView } from '../verify/verdict-view';
import { useHasKeys } from '../../ui/keys/use-has-keys';
import { OwnColumns } from './kept/own-columns';
import { visible } from '../../ui/untrusted';
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
  const t = useTexts(listPagesEn);
  const verdict = verdictOf(row);
  const done = rows.filter(({ status }) => status !== null);
  const at = done.findIndex(({ index }) => index === row.index);
  const [before, after] = [done[at - 1], done[at + 1]];
  const go = (to: Row | undefined) => to && onOpen(to.index);
  const hasKeys = useHasKeys();
  const onKey = (event: KeyboardEvent) => {
    const to: Record<string, Row | undefined> = { ArrowUp: before, ArrowDown: after };
    if (hasKeys) Object.assign(to, { k: before, j: after });
    const { key, ctrlKey, metaKey, altKey } = event;
    if (ctrlKey || metaKey || altKey || !(key in to)) return;
    event.preventDefault();
    go(to[key]);
  };
  if (verdict === null) return null;
  const number = sheetRow(job, row);
  const place = number === null ? t.job.rowOfList(row.index + 1) : `${t.job.row} ${number}`;
  return (
    <Dialog
      title={`${place} · ${visible(row.email || t.job.noEmail)}`}
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
      {typeof row.duplicate_of === 'string' && <p>{t.job.duplicateOf(visible(row.duplicate_of))}</p>}
      <VerdictView key={row.index} verdict={verdict} />
      <OwnColumns job={job} rows={rows} row={row} />
    </Dialog>
  );
}
