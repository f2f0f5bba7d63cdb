import { useEffect, useState, type FormEvent } from 'react';
import { useMe } from '../../../api/queries';
import { keptEn } from '../../../texts/lists/kept.en';
import { heldEn } from '../../../texts/lists/held.en';
import { useTexts } from '../../../texts/texts';
import { formText } from '../../../ui/form-text';
import { ErrorNote } from '../../../ui/query-result';
import { Button, Card, Check, Progress, Table, styles } from '../../../ui/ui';
import { useRefusal } from '../held/use-refusal';
import { countColumn, type ColumnCount } from './count-column';
import { ListCost, useRefusals } from './list-cost';
import { MailCheck } from '../ready/list-mail';
import css from '../lists.module.css';
import { ReadingFields } from './reading-fields';
import type { Reading, TableFile } from './table-file';
import { useListUpload } from './use-list-upload';

const TEXTS = { ...keptEn, ...heldEn };

/** How the file is read, and the upload, after which the page of the list shows what it contains. */
export function PreviewForm({
  table,
  onRead,
  onCancel,
}: {
  table: TableFile;
  /** Reads the file in another way. */
  onRead: (reading: Reading) => void;
  onCancel: () => void;
}) {
  const t = useTexts(TEXTS);
  const me = useMe();
  const canRefresh = me?.features.includes('refresh') ?? true;
  const [column, setColumn] = useState(table.emailColumn);
  useEffect(() => setColumn(table.emailColumn), [table]);
  const [keepsOthers, setKeepsOthers] = useState(false);
  const count = useCount(table, column);
  const refusals = useRefusals(table, count, keepsOthers);
  const { sent, error, send, stop } = useListUpload(table);
  const detail = useRefusal(error);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = (name: string) => formText(event.currentTarget, name);
    const isOn = (name: string) => text(name) === 'on';
    const choice = { isOnce: isOn('unique'), refresh: isOn('refresh'), isMailed: isOn('notify') };
    void send({ name: text('name'), ...choice, column, keepsOthers });
  };

  const isDisabled = sent !== null || column < 0 || count?.addresses === 0 || refusals.length > 0;
  return (
    <Card title={t.lists.preview}>
      <form onSubmit={submit} className={styles.stack}>
        <ReadingFields table={table} column={column} onColumn={setColumn} onRead={onRead} />
        <h3>{t.lists.firstRows}</h3>
        <Table label={t.lists.firstRows} head={table.columns} isWide>
          {table.firstRows.map((row, index) => (
            <tr key={index}>
              {table.columns.map((name, cell) => (
                <td key={name} data-chosen={cell === column} className={css.cell}>
                  {row[cell] ?? ''}
                </td>
              ))}
            </tr>
          ))}
        </Table>
        {column < 0 ? <p role="alert">{t.lists.chooseColumn}</p> : <ListCost count={count} />}
        {refusals.map((refusal) => (
          <p key={refusal} role="alert" className={styles.error}>
            {refusal}
          </p>
        ))}
        {table.columns.length > 1 && (
          <div>
            <Check
              label={t.kept.send}
              checked={keepsOthers}
              onChange={({ target }) => setKeepsOthers(target.checked)}
            />
            <p className={`${styles.muted} ${css.hint}`}>{t.kept.sendHint}</p>
          </div>
        )}
        <div>
          <Check name="unique" label={t.held.once} />
          <p className={`${styles.muted} ${css.hint}`}>{t.held.onceHint}</p>
        </div>
        <Check
          name="refresh"
          disabled={!canRefresh}
          label={
            canRefresh
              ? t.lists.refresh
              : `${t.lists.refresh}. ${t.lists.refreshNotIncluded(me?.team.tier ?? '')}`
          }
        />
        <MailCheck />
        <ErrorNote error={error} detail={detail} />
        {sent !== null && (
          <div role="status" className={styles.stack}>
            <p>{sent < 1 ? t.lists.uploading(Math.round(sent * 100)) : t.lists.storing}</p>
            <Progress value={sent} max={1} label={t.lists.uploading(Math.round(sent * 100))} />
          </div>
        )}
        <div className={styles.row}>
          <Button type="submit" variant="primary" disabled={isDisabled}>
            {t.held.next}
          </Button>
          <Button onClick={sent === null ? onCancel : stop}>{t.common.cancel}</Button>
        </div>
        <p className={styles.muted}>{t.held.nextHint}</p>
      </form>
    </Card>
  );
}

/** @returns null: the column is being counted, or there is none. */
function useCount(table: TableFile, column: number): ColumnCount | null {
  const [count, setCount] = useState<ColumnCount | null>(null);
  useEffect(() => {
    let isCurrent = true;
    setCount(null);
    if (column >= 0) void countColumn(table, column).then((found) => isCurrent && setCount(found));
    return () => {
      isCurrent = false;
    };
  }, [table, column]);
  return count;
}
