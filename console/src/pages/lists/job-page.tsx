import { Link, getRouteApi, useNavigate } from '@tanstack/react-router';
import type { BulkJob, Reason, Status } from '../../api/client';
import { ApiError } from '../../api/problem';
import { shortReasonsEn } from '../../texts/lists/short-reasons.en';
import { listPagesEn } from '../../texts/lists/list-pages.en';
import { useFormats, useTexts } from '../../texts/texts';
import { colorOf } from '../../ui/charts/chart-colors';
import { Bars, Donut } from '../../ui/charts/charts';
import { QueryResult } from '../../ui/query-result';
import { Card, styles } from '../../ui/ui';
import { ScheduleLink } from '../schedules/schedule-link';
import { Breakdown } from './breakdown';
import { statusOfReason } from './colors';
import { STATUSES } from './download';
import { useJob } from './job-events';
import { HeldList } from './held/held-list';
import { JobHead } from './job-head';
import { JobProgress } from './job-progress';
import { Headline } from './headline';
import { KeptNote } from './kept/kept-note';
import { MissingList } from './missing-list';
import css from './lists.module.css';
import { verdictsOf, type Filter, type View } from './results';
import { ResultsTable } from './results-table';

const route = getRouteApi('/lists/$id');

export function JobPage() {
  const { id } = route.useParams();
  const view = route.useSearch();
  const navigate = useNavigate();
  const t = useTexts(listPagesEn);
  const { query, isLive } = useJob(id);
  // Back leads to the view before, unless it is replaced.
  const show = (search: View, replace = false) =>
    void navigate({ to: '/lists/$id', params: { id }, search, replace, resetScroll: false });
  return (
    <div className={styles.stack}>
      <Link to="/lists">← {t.lists.back}</Link>
      {isMissing(query.error) ? (
        <MissingList id={id} />
      ) : (
        <QueryResult query={query} title={t.nav.lists}>
          {(job) => (
            <>
              <JobHead key={job.id} job={job} />
              {job.schedule_id !== null && <ScheduleLink id={job.schedule_id} />}
              <KeptNote job={job} />
              {job.status === 'held' ? (
                <HeldList job={job} />
              ) : (
                <>
                  <Headline job={job} />
                  <JobProgress job={job} isLive={isLive} />
                </>
              )}
              <JobCharts job={job} filter={view} onFilter={show} />
              {verdictsOf(job) > 0 && (
                <Breakdown key={job.id} job={job} onDomain={(domain) => show({ q: `@${domain}` })} />
              )}
              {job.status !== 'held' && <ResultsTable job={job} view={view} onView={show} />}
            </>
          )}
        </QueryResult>
      )}
    </div>
  );
}

const isMissing = (error: Error | null) => error instanceof ApiError && error.status === 404;

function JobCharts({
  job,
  filter,
  onFilter,
}: {
  job: BulkJob;
  filter: Filter;
  onFilter: (filter: Filter) => void;
}) {
  const t = useTexts(listPagesEn);
  const { shortReason } = useTexts(shortReasonsEn);
  const { percent } = useFormats();
  if (verdictsOf(job) === 0) return null;
  const byStatus = STATUSES.map((status) => ({
    id: status,
    label: t.status[status],
    value: job.by_status[status] ?? 0,
    color: colorOf(status),
  }));
  const byReason = Object.entries(job.by_reason).map(([reason, value]) => ({
    id: reason,
    label: shortReason[reason] ?? reason.replaceAll('_', ' '),
    value: value ?? 0,
    color: colorOf(statusOfReason(reason)),
  }));
  return (
    <div className={css.charts}>
      <Card title={t.job.byStatus}>
        <Donut
          label={t.job.byStatus}
          parts={byStatus}
          center={percent(job.by_status.deliverable ?? 0, verdictsOf(job))}
          centerLabel={t.status.deliverable}
          choice={{ chosen: filter.status, onChoose: (status) => onFilter({ status: status as Status }) }}
        />
      </Card>
      <Card title={t.job.byReason}>
        <Bars
          parts={byReason}
          choice={{
            chosen: filter.reason,
            onChoose: (reason) => onFilter(reason === undefined ? {} : { reason: reason as Reason }),
          }}
        />
      </Card>
    </div>
  );
}
