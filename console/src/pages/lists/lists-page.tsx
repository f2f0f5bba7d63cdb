import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState, type MouseEvent } from 'react';
import { api, data, type BulkJob } from '../../api/client';
import { useMe } from '../../api/queries';
import { useFormats, useTexts } from '../../texts/texts';
import { QueryResult } from '../../ui/query-result';
import { PageHead } from '../../ui/page-head';
import { Button, ButtonLink, Empty, Progress, Table, styles } from '../../ui/ui';
import { ShareBar } from '../../ui/charts/charts';
import { colorOf } from '../../ui/charts/chart-colors';
import { STATUSES } from './download';
import { DropZone } from './new-list/drop-zone';
import { isEnded } from './job-events';
import { JobStatusBadge } from './job-status-badge';
import { ListKeys, ROW, SEARCH } from './keys/list-keys';
import css from './lists.module.css';
import { RowMenu } from './row-menu';
import { MAX_SEARCH, useSearched } from './use-searched';
import { isOnRow } from '../../ui/keys/is-on-row';
import { Pager, usePages } from '../../ui/pager';
import { useTitle } from '../../ui/use-title';

const POLL_MS = 4_000;

export function ListsPage() {
  const t = useTexts();
  useTitle(t.lists.title);
  const me = useMe();
  const hasBulk = me === null || me.features.includes('bulk');
  return (
    <div className={styles.stack}>
      <PageHead title={t.lists.title} intro={t.lists.intro} />
      {hasBulk ? (
        <DropZone />
      ) : (
        <Empty icon="list" title={t.lists.notIncluded(me.team.tier)}>
          <p>{t.lists.notIncludedHint}</p>
          <ButtonLink to="/usage">{t.lists.seePlan}</ButtonLink>
        </Empty>
      )}
      <Jobs hasBulk={hasBulk} />
    </div>
  );
}

function Jobs({ hasBulk }: { hasBulk: boolean }) {
  const t = useTexts();
  const [typed, setTyped] = useState('');
  const q = useSearched(typed);
  const { cursor, pager } = usePages(`jobs ${q}`);
  const query = { ...(q !== undefined && { q }), ...(cursor !== null && { cursor }) };
  const jobs = useQuery({
    queryKey: ['jobs', query],
    queryFn: ({ signal }) => data(api.GET('/v1/bulk-jobs', { params: { query }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.data.some((job) => !isEnded(job)) ? POLL_MS : false),
  });
  const hasLists = Boolean(jobs.data?.data.length) || typed !== '' || q !== undefined || cursor !== null;
  return (
    <section className={styles.stack}>
      {hasLists && (
        <div className={css.head}>
          <h2>{t.lists.earlier}</h2>
          <div role="search" className={css.search}>
            <input
              {...SEARCH}
              type="search"
              className={styles.input}
              aria-label={t.lists.search}
              placeholder={t.lists.search}
              maxLength={MAX_SEARCH}
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
            />
            <ListKeys />
          </div>
        </div>
      )}
      <QueryResult query={jobs}>
        {({ data: list, next_cursor: next }) =>
          list.length > 0 ? (
            <>
              <JobTable jobs={list} />
              <Pager {...pager} next={next} />
            </>
          ) : q === undefined ? (
            <Empty icon="list" title={t.lists.emptyTitle}>
              <p>{hasBulk ? t.lists.empty : t.lists.emptyPlan}</p>
            </Empty>
          ) : (
            <div role="status">
              <Empty icon="list" title={t.lists.noMatch(q)}>
                <Button onClick={() => setTyped('')}>{t.lists.showAll}</Button>
              </Empty>
            </div>
          )
        }
      </QueryResult>
    </section>
  );
}

function JobTable({ jobs }: { jobs: readonly BulkJob[] }) {
  const t = useTexts();
  const me = useMe();
  const { number, time } = useFormats();
  const navigate = useNavigate();
  const openBy = (event: MouseEvent, { id }: BulkJob) => {
    if (isOnRow(event)) void navigate({ to: '/lists/$id', params: { id } });
  };
  return (
    <Table
      label={t.lists.earlier}
      className={css.jobs}
      align={{ 3: 'end' }}
      head={[t.lists.nameShort, t.common.status, t.lists.outcome, t.lists.rows, t.common.createdAt]}
    >
      {jobs.map((job) => (
        <tr key={job.id} onClick={(event) => openBy(event, job)}>
          <td>
            <Link
              {...ROW}
              to="/lists/$id"
              params={{ id: job.id }}
              className={css.name}
              title={job.name ?? undefined}
            >
              {job.name ?? t.lists.untitled}
            </Link>
            {job.created_by !== null && job.created_by.user_id !== me?.user?.id && (
              <div className={styles.muted}>{t.lists.createdBy(job.created_by.email)}</div>
            )}
          </td>
          <td>
            <JobStatusBadge status={job.status} />
          </td>
          <td className={css.bar}>
            {isEnded(job) ? (
              <Outcome job={job} />
            ) : (
              <Progress
                value={job.processed}
                max={job.total}
                label={t.job.progress(number(job.processed), number(job.total))}
              />
            )}
          </td>
          <td className={styles.number} data-unit={t.lists.rowsUnit}>
            {number(job.total)}
          </td>
          <td className={styles.muted}>
            <span className={css.last}>
              {time(job.created_at)}
              <RowMenu job={job} />
            </span>
          </td>
        </tr>
      ))}
    </Table>
  );
}

/** The statuses of a list that has ended. */
function Outcome({ job }: { job: BulkJob }) {
  const t = useTexts();
  const { percent } = useFormats();
  const whole = job.total - job.empty;
  const parts = STATUSES.map((status) => ({
    id: status,
    label: t.status[status],
    value: job.by_status[status] ?? 0,
    color: colorOf(status),
  }));
  const shares = parts
    .filter(({ value }) => value > 0)
    .map(({ label, value }) => `${label} ${percent(value, whole)}`);
  return (
    <>
      <ShareBar parts={parts} whole={whole} label={t.job.shares(shares.join(', '))} />
      <span className={css.share}>{t.lists.share(percent(job.by_status.deliverable ?? 0, whole))}</span>
    </>
  );
}
