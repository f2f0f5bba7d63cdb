import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { api, data, type BulkJob, type Reason, type Status } from '../../api/client';
import { useFormats, useTexts } from '../../texts/texts';
import { ErrorNote, Loading } from '../../ui/query-result';
import { Dialog } from '../../ui/dialog';
import { formText } from '../../ui/form-text';
import { Button, Card, Field, StatusBadge, Table, styles } from '../../ui/ui';
import { VerdictView } from '../verify/verdict-view';
import { STATUSES } from './download';
import { isEnded } from './job-events';
import css from './lists.module.css';
import { Pager, usePages } from '../../ui/pager';
import { isFull, searchResults, verdictOf, type Filter, type Row } from './results';

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
  const [search, setSearch] = useState('');
  const reasons = Object.keys(job.by_reason) as Reason[];
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
              onChange={({ target }) =>
                onFilter({ status: (target.value || undefined) as Status | undefined })
              }
            >
              <option value="">{t.job.all}</option>
              {STATUSES.map((status) => (
                <option key={status} value={status}>
                  {t.status[status]}
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
                onFilter({ reason: (target.value || undefined) as Reason | undefined })
              }
            >
              <option value="">{t.job.all}</option>
              {reasons.map((reason) => (
                <option key={reason}>{reason}</option>
              ))}
            </select>
          )}
        </Field>
        <form role="search" onSubmit={submit}>
          <Field label={t.job.search}>
            {(props) => <input {...props} name="search" type="search" maxLength={320} />}
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
  if (page.error !== null) return <ErrorNote error={page.error} onRetry={() => page.refetch()} />;
  if (page.data === undefined) return <Loading />;
  return (
    <>
      {!isEnded(job) && (filter.status ?? filter.reason) !== undefined && (
        <p className={styles.muted}>{t.job.partial}</p>
      )}
      <Rows rows={page.data.data} />
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
      <Rows rows={found} />
    </>
  );
}

function Rows({ rows }: { rows: readonly Row[] }) {
  const t = useTexts();
  const [open, setOpen] = useState<Row | null>(null);
  const verdict = open && verdictOf(open);
  if (rows.length === 0) return <p className={styles.muted}>{t.job.noResults}</p>;
  return (
    <>
      <Table
        label={t.job.results}
        head={[t.job.row, t.job.email, t.common.status, t.job.reason, t.job.score]}
      >
        {rows.map((row) => (
          <tr key={row.index}>
            <td className={styles.muted}>{row.index + 1}</td>
            <td>
              {row.status === null ? (
                row.email
              ) : (
                <button className={css.open} onClick={() => setOpen(row)}>
                  {row.email}
                </button>
              )}
            </td>
            <td>{row.status === null ? t.job.notYet : <StatusBadge status={row.status} />}</td>
            <td>{row.reason !== undefined && (t.reason[row.reason]?.[0] ?? row.reason)}</td>
            <td className={styles.number}>{row.score ?? ''}</td>
          </tr>
        ))}
      </Table>
      {verdict !== null && (
        <Dialog title={t.verify.evidence} onClose={() => setOpen(null)}>
          <VerdictView verdict={verdict} />
          <OwnColumns row={open} />
          <div className={styles.actions}>
            <Button onClick={() => setOpen(null)}>{t.common.close}</Button>
          </div>
        </Dialog>
      )}
    </>
  );
}

function OwnColumns({ row }: { row: Row | null }) {
  const ref = row?.ref ?? null;
  if (ref === null) return null;
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
