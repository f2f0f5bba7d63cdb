import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { api, data, type BulkJob, type Reason, type Status } from '../../api/client';
import { useFormats, useTexts } from '../../texts/texts';
import { ErrorNote, Loading } from '../../ui/query-result';
import { formText } from '../../ui/form-text';
import { Button, Card, Field, StatusBadge, Table, styles } from '../../ui/ui';
import { Untrusted } from '../../ui/untrusted';
import { STATUSES } from './download';
import { statusOfReason } from './colors';
import { isEnded } from './job-events';
import css from './lists.module.css';
import { Pager, usePages } from '../../ui/pager';
import { isFull, searchResults, type Filter, type Row } from './results';
import { RowPanel } from './row-panel';

const PAGE_ROWS = 25;
const POLL_MS = 5_000;

/** Pages of results, filtered by the service. */
export function ResultsTable({
  job,
  filter,
  onFilter,
}: {
  job: BulkJob;
  filter: Filter;
  onFilter: (filter: Filter) => void;
}) {
  const t = useTexts();
  const { number } = useFormats();
  const [search, setSearch] = useState('');
  const ofStatus = (reason: string, status: Status | undefined) =>
    status === undefined || statusOfReason(reason) === status;
  const reasons = (Object.keys(job.by_reason) as Reason[]).filter((each) => ofStatus(each, filter.status));
  /** A reason of another status would match no row. */
  const chooseStatus = (status: Status | undefined) => {
    const { reason } = filter;
    onFilter({ status, reason: reason !== undefined && ofStatus(reason, status) ? reason : undefined });
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setSearch(formText(event.currentTarget, 'search'));
  };
  return (
    <Card title={t.job.results}>
      <div className={css.filters}>
        <Field label={t.job.filterStatus}>
          {(props) => (
            <select
              {...props}
              value={filter.status ?? ''}
              onChange={({ target }) => chooseStatus((target.value || undefined) as Status | undefined)}
            >
              <option value="">{t.job.all}</option>
              {STATUSES.map((status) => (
                <option key={status} value={status}>
                  {t.status[status]} ({number(job.by_status[status] ?? 0)})
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label={t.job.filterReason}>
          {(props) => (
            <select
              {...props}
              value={filter.reason ?? ''}
              onChange={({ target }) =>
                onFilter({ ...filter, reason: (target.value || undefined) as Reason | undefined })
              }
            >
              <option value="">{t.job.all}</option>
              {reasons.map((reason) => (
                <option key={reason} value={reason}>
                  {t.shortReason[reason] ?? reason} ({number(job.by_reason[reason] ?? 0)})
                </option>
              ))}
            </select>
          )}
        </Field>
        <form role="search" onSubmit={submit}>
          <Field label={t.job.search}>
            {(props) => (
              <input
                {...props}
                name="search"
                type="search"
                maxLength={320}
                // An empty field shows all rows again.
                onChange={({ target }) => target.value === '' && setSearch('')}
              />
            )}
          </Field>
          <Button type="submit">{t.job.search.split(' ')[0]}</Button>
        </form>
      </div>
      {search === '' ? (
        <Pages job={job} filter={filter} />
      ) : (
        <Found key={`${search} ${filter.status} ${filter.reason}`} job={job} filter={filter} text={search} />
      )}
    </Card>
  );
}

function Pages({ job, filter }: { job: BulkJob; filter: Filter }) {
  const t = useTexts();
  const { cursor, pager } = usePages(`${filter.status} ${filter.reason}`);
  const query = { ...filter, limit: PAGE_ROWS, ...(cursor !== null && { cursor }) };
  const page = useQuery({
    // The last rows of a page may have come with the end of the job.
    queryKey: ['results', job.id, query, isEnded(job)],
    queryFn: () =>
      data(api.GET('/v1/bulk-jobs/{id}/results', { params: { path: { id: job.id }, query } })) as Promise<{
        data: Row[];
        next_cursor: string | null;
      }>,
    placeholderData: keepPreviousData,
    refetchInterval: isEnded(job) ? false : POLL_MS,
  });
  const top = useRef<HTMLDivElement>(null);
  const shown = useRef(cursor);
  useEffect(() => {
    // A new page begins at its first row, also for the keyboard and for screen readers.
    if (shown.current === cursor || page.isPlaceholderData) return;
    shown.current = cursor;
    top.current?.focus();
    top.current?.scrollIntoView({ block: 'start' });
  }, [cursor, page.isPlaceholderData]);
  if (page.error !== null) return <ErrorNote error={page.error} onRetry={() => page.refetch()} />;
  if (page.data === undefined) return <Loading />;
  return (
    <>
      {!isEnded(job) && (filter.status ?? filter.reason) !== undefined && (
        <p className={styles.muted}>{t.job.partial}</p>
      )}
      <div ref={top} tabIndex={-1} className={css.top}>
        <Rows job={job} rows={page.data.data} />
      </div>
      <Pager {...pager} next={page.data.next_cursor} />
    </>
  );
}

function Found({ job, filter, text }: { job: BulkJob; filter: Filter; text: string }) {
  const t = useTexts();
  const { number } = useFormats();
  const [state, setState] = useState<{
    found: Row[];
    searched: number;
    isDone: boolean;
    error: Error | null;
  }>({
    found: [],
    searched: 0,
    isDone: false,
    error: null,
  });
  const stop = useRef<AbortController | null>(null);
  useEffect(() => {
    const ended = new AbortController();
    stop.current = ended;
    searchResults(
      job,
      filter,
      text,
      (found, searched) => setState((before) => ({ ...before, found, searched })),
      ended.signal,
    ).then(
      () => setState((before) => ({ ...before, isDone: true })),
      (error: Error) =>
        setState((before) => ({
          ...before,
          isDone: true,
          error: error.name === 'AbortError' ? null : error,
        })),
    );
    return () => ended.abort();
  }, [job.id, filter.status, filter.reason, text]);
  const { found, searched, isDone, error } = state;
  return (
    <>
      <p role="status" className={styles.row}>
        {!isDone
          ? t.job.searching(number(searched))
          : isFull(found)
            ? t.job.searchFull(number(found.length))
            : t.job.searchDone(number(found.length), number(searched))}
        {!isDone && (
          <Button small onClick={() => stop.current?.abort()}>
            {t.job.stop}
          </Button>
        )}
      </p>
      <ErrorNote error={error} />
      <Rows job={job} rows={found} />
    </>
  );
}

function Rows({ job, rows }: { job: BulkJob; rows: readonly Row[] }) {
  const t = useTexts();
  const [open, setOpen] = useState<number | null>(null);
  if (rows.length === 0) return <p className={styles.muted}>{t.job.noResults}</p>;
  const pending = isEnded(job) ? t.job.notVerified : t.job.notYet;
  const chosen = rows.find(({ index }) => index === open);
  return (
    <>
      <Table
        label={t.job.results}
        className={css.results}
        head={[t.job.row, t.job.email, t.common.status, t.job.reason, t.job.score]}
        align={{ 4: 'end' }}
      >
        {rows.map((row) => (
          <tr key={row.index}>
            <td className={styles.muted}>{row.index + 1}</td>
            <td>
              {row.status === null ? (
                <Untrusted text={row.email} />
              ) : (
                <button className={css.open} onClick={() => setOpen(row.index)}>
                  <Untrusted text={row.email} />
                </button>
              )}
            </td>
            <td>{row.status === null ? pending : <StatusBadge status={row.status} />}</td>
            <td title={row.reason && t.reason[row.reason]?.[0]}>
              {row.reason !== undefined && (t.shortReason[row.reason] ?? row.reason)}
            </td>
            <td className={styles.number}>{row.score ?? ''}</td>
          </tr>
        ))}
      </Table>
      {chosen !== undefined && <RowPanel rows={rows} row={chosen} onOpen={setOpen} />}
    </>
  );
}
