import { useEffect, useState, type FormEvent } from 'react';
import { useMe } from '../../../api/queries';
import { listPagesEn } from '../../../texts/lists/list-pages.en';
import { useTexts } from '../../../texts/texts';
import { formText } from '../../../ui/form-text';
import { ErrorNote } from '../../../ui/query-result';
import { Button, Card, Check, Progress, Table, styles } from '../../../ui/ui';
import { MAX_HELD, useHeldLists } from '../held/use-held-lists';
import { useRefusal } from '../held/use-refusal';
import { countColumn, type ColumnCount } from './count-column';
import { ListCost, useRefusals } from './list-cost';
import { MailCheck } from '../ready/list-mail';
import css from '../lists.module.css';
import { ReadingFields } from './reading-fields';
import type { SentFile } from './sent-file';
import type { Reading, TableFile } from './table-file';
import { useListUpload } from './use-list-upload';

/** How the file is read, and the upload, after which the page of the list shows what it contains. */
export function PreviewForm({
  table,
  earlier,
  onRead,
  onCancel,
}: {
  table: TableFile;
  /** The same file, whose list is read in another way; null: it is new. */
  earlier: SentFile | null;
  /** Reads the file in another way. */
  onRead: (reading: Reading) => void;
  onCancel: () => void;
}) {
  const t = useTexts(listPagesEn);
  const me = useMe();
  const canRefresh = me?.features.includes('refresh') ?? true;
  const [column, setColumn] = useState(earlier?.choice.column ?? table.emailColumn);
  useEffect(() => {
    if (table !== earlier?.table) setColumn(table.emailColumn);
  }, [table, earlier]);
  const [keepsOthers, setKeepsOthers] = useState(earlier?.choice.keepsOthers ?? false);
  const count = useCount(table, column);
  const refusals = useRefusals(table, count, keepsOthers);
  const { sent, error, send, stop } = useListUpload(table, earlier?.job ?? null);
  const heldCount = useHeldLists()?.length ?? 0;
  const isFull = heldCount >= MAX_HELD && earlier === null;
  const detail = useRefusal(error);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = (name: string) => formText(event.currentTarget, name);
    const isOn = (name: string) => text(name) === 'on';
    const choice = { isOnce: isOn('unique'), refresh: isOn('refresh'), isMailed: isOn('notify') };
    void send({ name: text('name'), ...choice, column, keepsOthers });
  };

  const isDisabled = sent !== null || column < 0 || count?.addresses === 0 || refusals.length > 0 || isFull;
  return (
    <Card title={t.lists.preview}>
      <form onSubmit={submit} className={styles.stack}>
        <ReadingFields
          table={table}
          name={earlier?.choice.name}
          column={column}
          onColumn={setColumn}
          onRead={onRead}
        />
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
          <Check name="unique" defaultChecked={earlier?.choice.isOnce} label={t.held.once} />
          <p className={`${styles.muted} ${css.hint}`}>{t.held.onceHint}</p>
        </div>
        <Check
          name="refresh"
          defaultChecked={earlier?.choice.refresh}
          disabled={!canRefresh}
          label={
            canRefresh
              ? t.lists.refresh
              : `${t.lists.refresh}. ${t.lists.refreshNotIncluded(me?.team.tier ?? '')}`
          }
        />
        <MailCheck isChosen={earlier?.choice.isMailed} />
        {isFull && <p className={styles.muted}>{t.held.full(MAX_HELD)}</p>}
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
