import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { api, data, type BulkJob, type Reason, type Status } from '../../api/client';
import { shortReasonsEn } from '../../texts/lists/short-reasons.en';
import { listPagesEn } from '../../texts/lists/list-pages.en';
import { useFormats, useTexts } from '../../texts/texts';
import { ErrorNote, Loading } from '../../ui/query-result';
import { Button, Card, Empty, Field, StatusBadge, Table, styles } from '../../ui/ui';
import { Untrusted } from '../../ui/untrusted';
import { STATUSES } from './download';
import { statusOfReason } from './colors';
import { isEnded } from './job-events';
import { ListKeys, ROW, SEARCH } from './keys/list-keys';
import css from './lists.module.css';
import { Pager, useAddressedPages } from '../../ui/pager';
import { sheetRow, type Filter, type Row, type View } from './results';
import { RowPanel } from './row-panel';
import { MAX_SEARCH, useSearched } from './use-searched';

const PAGE_ROWS = 25;
const POLL_MS = 5_000;

/** Pages of results, filtered by the service. */
export function ResultsTable({
  job,
  view,
  onView,
}: {
  job: BulkJob;
  view: View;
  /** @param replace the view takes the place of the present one: Back does not lead to that. */
  onView: (view: View, replace?: boolean) => void;
}) {
  const t = useTexts(listPagesEn);
  const { shortReason } = useTexts(shortReasonsEn);
  const { number } = useFormats();
  const { status, reason } = view;
  const filter: Filter = { status, reason };
  const onFilter = (chosen: Filter) => onView({ ...chosen, q: view.q });
  const [typed, setTyped] = useState(view.q ?? '');
  const q = useSearched(typed);
  /** The search that the address has from here. */
  const searched = useRef(view.q);
  useEffect(() => {
    if (q === view.q) return;
    searched.current = q;
    onView({ ...filter, q }, true);
  }, [q]);
  // Another one: a domain of the breakdown, or Back.
  useEffect(() => {
    if (view.q === searched.current) return;
    searched.current = view.q;
    setTyped(view.q ?? '');
  }, [view.q]);
  const ofStatus = (reason: string, status: Status | undefined) =>
    status === undefined || statusOfReason(reason) === status;
  const reasons = (Object.keys(job.by_reason) as Reason[]).filter((each) => ofStatus(each, filter.status));
  /** A reason of another status would match no row. */
  const chooseStatus = (status: Status | undefined) => {
    const { reason } = filter;
    onFilter({ status, reason: reason !== undefined && ofStatus(reason, status) ? reason : undefined });
  };
  return (
    <Card title={t.job.results} action={<ListKeys />}>
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
                  {shortReason[reason] ?? reason} ({number(job.by_reason[reason] ?? 0)})
                </option>
              ))}
            </select>
          )}
        </Field>
        <div role="search">
          <Field label={t.job.search}>
            {(props) => (
              <input
                {...props}
                {...SEARCH}
                type="search"
                maxLength={MAX_SEARCH}
                value={typed}
                onChange={({ target }) => setTyped(target.value)}
              />
            )}
          </Field>
        </div>
      </div>
      <Pages
        job={job}
        view={view}
        onView={onView}
        onClear={() => {
          setTyped('');
          onView({});
        }}
      />
    </Card>
  );
}

function Pages({
  job,
  view,
  onView,
  onClear,
}: {
  job: BulkJob;
  view: View;
  onView: (view: View, replace?: boolean) => void;
  /** Shows all rows. */
  onClear: () => void;
}) {
  const t = useTexts(listPagesEn);
  const { status, reason, q, page: cursor } = view;
  const filter = { status, reason, q };
  const pager = useAddressedPages(cursor, (to) => onView({ ...filter, page: to }));
  const query = { ...filter, limit: PAGE_ROWS, ...(cursor !== undefined && { cursor }) };
  const page = useQuery({
    // The last rows of a page may have come with the end of the job.
    queryKey: ['results', job.id, query, isEnded(job)],
    queryFn: ({ signal }) =>
      data(
        api.GET('/v1/bulk-jobs/{id}/results', { params: { path: { id: job.id }, query }, signal }),
      ) as Promise<{
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
  const isFiltered = (filter.status ?? filter.reason ?? filter.q) !== undefined;
  if (page.error !== null) return <ErrorNote error={page.error} onRetry={() => page.refetch()} isQuery />;
  if (page.data === undefined) return <Loading />;
  return (
    <>
      {!isEnded(job) && (filter.status ?? filter.reason) !== undefined && (
        <p className={styles.muted}>{t.job.partial}</p>
      )}
      <div ref={top} tabIndex={-1} className={css.top}>
        {page.data.data.length > 0 ? (
          <Rows job={job} rows={page.data.data} view={view} onView={onView} />
        ) : (
          <div role="status">
            <Empty icon="list" title={t.job.noResults}>
              {isFiltered && <Button onClick={onClear}>{t.job.showAll}</Button>}
            </Empty>
          </div>
        )}
      </div>
      <div className={`${styles.row} ${styles.between}`}>
        <Pager {...pager} next={page.data.next_cursor} />
        {!isFiltered && job.total > PAGE_ROWS && <Range job={job} rows={page.data.data} />}
      </div>
    </>
  );
}

/** Which rows of the list a page has. */
function Range({ job, rows }: { job: BulkJob; rows: readonly Row[] }) {
  const t = useTexts(listPagesEn);
  const { number } = useFormats();
  const [first, last] = [rows[0], rows.at(-1)].map((row) => number((row?.index ?? 0) + 1));
  return <p className={styles.muted}>{t.job.range(first ?? '', last ?? '', number(job.total))}</p>;
}

function Rows({
  job,
  rows,
  view,
  onView,
}: {
  job: BulkJob;
  rows: readonly Row[];
  view: View;
  onView: (view: View, replace?: boolean) => void;
}) {
  const t = useTexts(listPagesEn);
  const { shortReason } = useTexts(shortReasonsEn);
  const open = view.row ?? null;
  /** The panel was opened here, so that Back closes it. */
  const isOpened = useRef(false);
  const setOpen = (index: number | null) => {
    if (index === null && isOpened.current) return history.back();
    if (open === null) isOpened.current = index !== null;
    onView({ ...view, row: index ?? undefined }, open !== null);
  };
  const list = useRef<HTMLDivElement>(null);
  const last = useRef<number | null>(null);
  useLayoutEffect(() => {
    // The panel may have gone on to other rows since it was opened. At once, for the next key.
    if (open === null && last.current !== null)
      list.current?.querySelector<HTMLElement>(`[data-index="${last.current}"]`)?.focus();
    last.current = open;
  }, [open]);
  /** A click anywhere in a row, unless it has selected a text. */
  const openBy = ({ index }: Row) => {
    if (getSelection()?.isCollapsed !== false) setOpen(index);
  };
  const pending = isEnded(job) ? t.job.notVerified : t.job.notYet;
  const stateOf = ({ email }: Row) => (email.trim() === '' ? t.job.skipped : pending);
  const chosen = rows.find(({ index }) => index === open);
  return (
    <div ref={list}>
      <Table
        label={t.job.results}
        className={css.results}
        head={[t.job.row, t.job.email, t.common.status, t.job.reason, t.job.score]}
        align={{ 4: 'end' }}
      >
        {rows.map((row) => (
          <tr key={row.index} onClick={row.status === null ? undefined : () => openBy(row)}>
            <td className={styles.muted}>{sheetRow(job, row) ?? t.job.rowOfList(row.index + 1)}</td>
            <td>
              {row.status === null ? (
                <Untrusted text={row.email.trim() || t.job.noEmail} />
              ) : (
                <button
                  {...ROW}
                  data-index={row.index}
                  className={css.open}
                  onClick={() => setOpen(row.index)}
                >
                  <Untrusted text={row.email.trim() || t.job.noEmail} />
                </button>
              )}
            </td>
            <td>{row.status === null ? stateOf(row) : <StatusBadge status={row.status} />}</td>
            <td title={row.reason && t.reason[row.reason]?.[0]}>
              {row.reason !== undefined && (shortReason[row.reason] ?? row.reason)}
            </td>
            <td className={styles.number}>{row.score ?? ''}</td>
          </tr>
        ))}
      </Table>
      {chosen !== undefined && <RowPanel job={job} rows={rows} row={chosen} onOpen={setOpen} />}
    </div>
  );
}
