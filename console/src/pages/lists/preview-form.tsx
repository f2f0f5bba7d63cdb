import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { usageQuery, useIsLive, useMe } from '../../api/queries';
import { useFormats, useTexts } from '../../texts/texts';
import { keptEn } from '../../texts/kept.en';
import { ErrorNote } from '../../ui/query-result';
import { Button, Card, Check, Field, Progress, Table, styles } from '../../ui/ui';
import { formText } from '../../ui/form-text';
import css from './lists.module.css';
import { countColumn, MAX_CELLS, type ColumnCount } from './count-column';
import { columnParameter, ENCODINGS, type Reading, type TableFile } from './table-file';
import { randomId } from '../../api/random-id';
import { notice } from '../../ui/notice';
import { KeptFilesFull, MAX_MEGABYTES } from './kept/kept-files';
import { uploadAddresses } from './kept/upload-addresses';
import { uploadList, type Upload } from './upload';

const MAX_NAME = 100;

/** What is in the file, what it will cost, and the upload. */
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
  const t = useTexts(keptEn);
  const { number } = useFormats();
  const navigate = useNavigate();
  const client = useQueryClient();
  const me = useMe();
  const canRefresh = me?.features.includes('refresh') ?? true;
  const [column, setColumn] = useState(table.emailColumn);
  useEffect(() => setColumn(table.emailColumn), [table]);
  const [count, setCount] = useState<ColumnCount | null>(null);
  const [sent, setSent] = useState<number | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const idempotencyKey = useRef(randomId());
  const [keepsOthers, setKeepsOthers] = useState(false);
  const stop = useRef<AbortController | null>(null);

  useEffect(() => {
    let isCurrent = true;
    setCount(null);
    if (column >= 0) void countColumn(table, column).then((found) => isCurrent && setCount(found));
    return () => {
      isCurrent = false;
    };
  }, [table, column]);
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => void (isShown.current = false);
  }, []);
  useEffect(() => {
    if (sent === null) return;
    // The browser asks before the tab is closed during an upload.
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [sent]);

  // Other columns that are not sent may be of any length.
  const refused = keepsOthers ? null : (count?.refused ?? null);
  const isTooLong = me !== null && count !== null && count.rows > me.bulk_limit;

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const query = {
      name: formText(event.currentTarget, 'name'),
      ...(formText(event.currentTarget, 'refresh') === 'on' && { refresh: true }),
    };
    // Other parameters are another request.
    const how = `${table.sheets.findIndex(({ name }) => name === table.sheet)} ${column} ${table.hasHeader} ${table.encoding} ${query.refresh}`;
    setError(null);
    setSent(0);
    stop.current = new AbortController();
    try {
      const request = { onProgress: setSent, signal: stop.current.signal };
      const job = keepsOthers
        ? await sendAddresses({ ...request, query, how })
        : await uploadList({
            ...request,
            body: table.content,
            type: 'text/csv',
            query: {
              ...query,
              email_column: columnParameter(table, column),
              header: table.hasHeader,
              ...(table.isEncodingOpen && { encoding: table.encoding }),
            },
            idempotencyKey: `${idempotencyKey.current} ${how}`,
          });
      void client.invalidateQueries({ queryKey: ['jobs'] });
      void client.invalidateQueries({ queryKey: usageQuery.queryKey });
      // A person who has gone to another page stays there.
      if (isShown.current) await navigate({ to: '/lists/$id', params: { id: job.id } });
      else notice.set({ text: t.lists.ready(job.name ?? t.lists.untitled), job: job.id });
    } catch (caught) {
      if ((caught as Error).name !== 'AbortError') setError(caught as Error);
      setSent(null);
    }
  };

  /** A list of its own for each way to read the file, as its rows are others. */
  const uploads = useRef(new Map<string, string>());
  const sendAddresses = ({
    how,
    ...request
  }: Pick<Upload, 'query' | 'onProgress' | 'signal'> & { how: string }) => {
    const id = uploads.current.get(how) ?? randomId();
    uploads.current.set(how, id);
    const scope = `${me?.team.id} ${me?.key.mode}`;
    return uploadAddresses({ ...request, table, column, id, scope, idempotencyKey: id }).catch(
      (caught: Error) => {
        if (caught instanceof KeptFilesFull) throw new Error(t.kept.full(MAX_MEGABYTES));
        if (caught instanceof DOMException && caught.name !== 'AbortError') throw new Error(t.kept.noStorage);
        throw caught;
      },
    );
  };

  return (
    <Card title={t.lists.preview}>
      <form onSubmit={submit} className={styles.stack}>
        <div className={css.fields}>
          <Field label={t.lists.name}>
            {(props) => (
              <input {...props} name="name" maxLength={MAX_NAME} defaultValue={nameFrom(table.file.name)} />
            )}
          </Field>
          <Field label={t.lists.column}>
            {(props) => (
              <select {...props} value={column} onChange={(event) => setColumn(Number(event.target.value))}>
                {column < 0 && <option value={-1}>—</option>}
                {table.columns.map((name, index) => (
                  <option key={name} value={index}>
                    {name}
                  </option>
                ))}
              </select>
            )}
          </Field>
          {table.sheets.length > 1 && (
            <Field label={t.lists.sheet}>
              {(props) => (
                <select
                  {...props}
                  value={table.sheet ?? ''}
                  onChange={(event) => onRead({ sheet: event.target.value })}
                >
                  {table.sheets.map(({ name }) => (
                    <option key={name}>{name}</option>
                  ))}
                </select>
              )}
            </Field>
          )}
          {table.isEncodingOpen && (
            <Field label={t.lists.encoding}>
              {(props) => (
                <select
                  {...props}
                  value={table.encoding}
                  onChange={(event) => onRead({ encoding: event.target.value, hasHeader: table.hasHeader })}
                >
                  {ENCODINGS.map((name) => (
                    <option key={name}>{name}</option>
                  ))}
                </select>
              )}
            </Field>
          )}
        </div>
        <Check
          name="header"
          label={t.lists.header}
          checked={table.hasHeader}
          onChange={(event) =>
            onRead({
              encoding: table.encoding,
              hasHeader: event.target.checked,
              ...(table.sheet !== null && { sheet: table.sheet }),
            })
          }
        />
        <h3>{t.lists.firstRows}</h3>
        <Table label={t.lists.firstRows} head={table.columns}>
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
        {column < 0 ? <p role="alert">{t.lists.chooseColumn}</p> : <Cost count={count} />}
        {refused && (
          <p role="alert" className={styles.error}>
            {refused.column === null
              ? t.lists.tooManyCells(refused.line, MAX_CELLS)
              : t.lists.tooLong(refused.line, table.columns[refused.column] ?? '')}
          </p>
        )}
        {isTooLong && (
          <p role="alert" className={styles.error}>
            {t.lists.tooManyRows(number(me.bulk_limit))}
          </p>
        )}
        {count?.openQuote && (
          <p role="alert" className={styles.error}>
            {t.lists.openQuote(count.openQuote)}
          </p>
        )}
        {table.columns.length > 1 && (
          <div>
            <Check
              label={t.kept.send}
              checked={keepsOthers}
              onChange={({ target }) => setKeepsOthers(target.checked)}
            />
            <p className={styles.muted}>{t.kept.sendHint}</p>
          </div>
        )}
        <Check
          name="refresh"
          disabled={!canRefresh}
          label={
            canRefresh
              ? t.lists.refresh
              : `${t.lists.refresh}. ${t.lists.refreshNotIncluded(me?.team.tier ?? '')}`
          }
        />
        <ErrorNote error={error} />
        {sent !== null && (
          <div role="status" className={styles.stack}>
            <p>{sent < 1 ? t.lists.uploading(Math.round(sent * 100)) : t.lists.storing}</p>
            <Progress value={sent} max={1} label={t.lists.uploading(Math.round(sent * 100))} />
          </div>
        )}
        <div className={styles.row}>
          <Button
            type="submit"
            variant="primary"
            disabled={
              sent !== null ||
              column < 0 ||
              count?.addresses === 0 ||
              isTooLong ||
              Boolean(refused ?? count?.openQuote)
            }
          >
            {t.lists.start}
          </Button>
          <Button
            onClick={() => {
              if (sent === null) onCancel();
              else stop.current?.abort();
            }}
          >
            {t.common.cancel}
          </Button>
        </div>
      </form>
    </Card>
  );
}

function Cost({ count }: { count: ColumnCount | null }) {
  const t = useTexts();
  const { number } = useFormats();
  const isLive = useIsLive();
  const remaining = useQuery(usageQuery).data?.quota.remaining ?? null;
  if (count === null) return <p className={styles.muted}>{t.lists.reading}</p>;
  if (count.addresses === 0) return <p>{t.lists.noAddresses}</p>;
  const isTooMuch = isLive && remaining !== null && count.distinct > remaining;
  return (
    <div>
      <p>
        <strong>{t.lists.cost(number(count.rows), number(count.distinct))}</strong>{' '}
        {isLive && remaining !== null && !isTooMuch && t.lists.remaining(number(remaining))}
      </p>
      {isTooMuch && <p role="alert">{t.lists.tooMany(number(remaining))}</p>}
      <p className={styles.muted}>{isLive ? t.lists.costHint : t.lists.costTest}</p>
    </div>
  );
}

function nameFrom(fileName: string): string {
  return fileName.replace(/\.[^.]+$/, '').slice(0, MAX_NAME);
}
