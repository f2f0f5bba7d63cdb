import { useQueryClient } from '@tanstack/react-query';
import { Link, getRouteApi, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { api, data, type BulkJob } from '../../api/client';
import { jobQuery } from '../../api/queries';
import { useFormats, useTexts } from '../../texts/texts';
import { QueryResult, ErrorNote } from '../../ui/query-result';
import { Bars, Donut } from '../../ui/charts';
import { ConfirmDialog } from '../../ui/dialog';
import { Button, Card, Progress, styles } from '../../ui/ui';
import { Breakdown } from './breakdown';
import { STATUSES } from './download';
import { DownloadDialog } from './download-dialog';
import { isEnded, useJob } from './job-events';
import { JobStatusBadge } from './job-status-badge';
import css from './lists.module.css';
import { removeJob } from './kept/kept-files';
import { KeptNote } from './kept/kept-note';
import { ResultsTable } from './results-table';
import { runAgain } from './run-again';
import { statusOfReason } from './colors';
import { colorOf } from '../../ui/chart-colors';
import { useTitle } from '../../ui/use-title';

const route = getRouteApi('/lists/$id');

export function JobPage() {
  const { id } = route.useParams();
  const filter = route.useSearch();
  const navigate = useNavigate();
  const t = useTexts();
  const { query, isLive } = useJob(id);
  return (
    <div className={styles.stack}>
      <Link to="/lists">← {t.lists.back}</Link>
      <QueryResult query={query}>
        {(job) => (
          <>
            <JobHead key={job.id} job={job} />
            <KeptNote job={job} />
            <JobProgress job={job} isLive={isLive} />
            <JobCharts job={job} />
            {job.processed > 0 && <Breakdown key={job.id} job={job} />}
            <ResultsTable
              job={job}
              filter={filter}
              onFilter={(search) =>
                void navigate({ to: '/lists/$id', params: { id }, search, replace: true })
              }
            />
          </>
        )}
      </QueryResult>
    </div>
  );
}

function JobHead({ job }: { job: BulkJob }) {
  const t = useTexts();
  useTitle(
    (isEnded(job) ? '' : `${Math.floor((100 * job.processed) / job.total)} % `) +
      (job.name ?? t.lists.untitled),
  );
  const { number } = useFormats();
  const navigate = useNavigate();
  const client = useQueryClient();
  const [dialog, setDialog] = useState<'download' | 'cancel' | 'delete' | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const params = { path: { id: job.id } };
  const unknown = job.by_status.unknown ?? 0;
  const close = () => setDialog(null);
  const cancel = async () => {
    const canceled = await data(api.POST('/v1/bulk-jobs/{id}/cancel', { params }));
    client.setQueryData(jobQuery(job.id).queryKey, canceled);
  };
  const erase = async () => {
    await api.DELETE('/v1/bulk-jobs/{id}', { params });
    await removeJob(job.id).catch(() => undefined);
    await client.invalidateQueries({ queryKey: ['jobs'] });
    await navigate({ to: '/lists' });
    client.removeQueries({ queryKey: jobQuery(job.id).queryKey });
  };
  const again = async (which: 'unknown' | 'rest') => {
    setIsBusy(true);
    setError(null);
    try {
      const named = which === 'unknown' ? t.job.rerunName : t.job.restName;
      const next = await runAgain(job, which, named(job.name ?? t.lists.untitled).slice(0, 100));
      await navigate({ to: '/lists/$id', params: { id: next.id } });
    } catch (caught) {
      setError(caught as Error);
      setIsBusy(false);
    }
  };
  return (
    <>
      <div className={css.head}>
        <div className={styles.row}>
          <h1>{job.name ?? t.lists.untitled}</h1>
          <JobStatusBadge status={job.status} />
        </div>
        <div className={styles.row}>
          {job.processed > 0 && (
            <Button variant="primary" onClick={() => setDialog('download')}>
              {t.job.download}
            </Button>
          )}
          {isEnded(job) && unknown > 0 && (
            <Button onClick={() => again('unknown')} disabled={isBusy}>
              {isBusy ? t.common.working : t.job.rerun(number(unknown))}
            </Button>
          )}
          {job.status === 'canceled' && job.processed < job.total && (
            <Button onClick={() => again('rest')} disabled={isBusy}>
              {isBusy ? t.common.working : t.job.rest(number(job.total - job.processed))}
            </Button>
          )}
          {!isEnded(job) && <Button onClick={() => setDialog('cancel')}>{t.job.cancel}</Button>}
          <Button variant="danger" onClick={() => setDialog('delete')}>
            {t.job.delete}
          </Button>
        </div>
      </div>
      <ErrorNote error={error} />
      {dialog === 'download' && <DownloadDialog job={job} onClose={close} />}
      {dialog === 'cancel' && (
        <ConfirmDialog
          title={t.job.cancel}
          question={t.job.cancelAsk}
          confirm={t.job.cancel}
          onConfirm={cancel}
          onClose={close}
        />
      )}
      {dialog === 'delete' && (
        <ConfirmDialog
          title={t.job.delete}
          question={t.job.deleteAsk}
          confirm={t.job.delete}
          onConfirm={erase}
          onClose={close}
        />
      )}
    </>
  );
}

function JobProgress({ job, isLive }: { job: BulkJob; isLive: boolean }) {
  const t = useTexts();
  const { number, time } = useFormats();
  const isStalled = useStalled(job);
  const progress = t.job.progress(number(job.processed), number(job.total));
  const state = () => {
    if (job.eta_seconds === null) return '';
    return `${isStalled ? t.job.stalled : t.job.eta(t.verify.age(job.eta_seconds))} · `;
  };
  return (
    <Card>
      <div className={`${styles.row} ${styles.between}`}>
        <strong>{progress}</strong>
        {!isEnded(job) && (
          <span className={styles.muted}>
            {state()}
            {isLive ? t.job.live : t.job.polled}
          </span>
        )}
      </div>
      <Progress value={job.processed} max={job.total} label={progress} />
      {job.deferred > 0 && <Deferred job={job} />}
      {job.failure !== null && (
        <p className={styles.error}>
          <strong>{t.job.failure}</strong> {job.failure}
        </p>
      )}
      <p className={styles.muted}>
        {job.duplicates > 0 && `${t.job.duplicates(number(job.duplicates))} `}
        {t.job.usage(number(job.usage.charged), number(job.usage.returned))}{' '}
        {job.expires_at !== null && t.job.expires(time(job.expires_at))}
      </p>
    </Card>
  );
}

/** Why the list waits, until when, and how to end it. */
function Deferred({ job }: { job: BulkJob }) {
  const t = useTexts();
  const client = useQueryClient();
  const { number, clock } = useFormats();
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const finish = async () => {
    setIsBusy(true);
    setError(null);
    try {
      const params = { path: { id: job.id } };
      const finished = await data(api.POST('/v1/bulk-jobs/{id}/finish', { params }));
      client.setQueryData(jobQuery(job.id).queryKey, finished);
    } catch (caught) {
      setError(caught as Error);
    }
    setIsBusy(false);
  };
  return (
    <div className={css.deferred}>
      <div>
        <strong>{t.job.deferred(number(job.deferred))}</strong>
        <p>
          {t.job.deferredWhy} {job.next_attempt_at !== null && t.job.nextAttempt(clock(job.next_attempt_at))}{' '}
          {job.deferred_until !== null && t.job.deferredUntil(clock(job.deferred_until))}
        </p>
      </div>
      <Button onClick={finish} disabled={isBusy}>
        {isBusy ? t.common.working : t.job.finish}
      </Button>
      <ErrorNote error={error} />
    </div>
  );
}

const STALLED_MS = 10_000;

/** Whether no row was verified for some time, so that the estimate means nothing. */
function useStalled({ processed, deferred }: BulkJob): boolean {
  const [isStalled, setIsStalled] = useState(false);
  useEffect(() => {
    setIsStalled(false);
    const timer = setTimeout(() => setIsStalled(true), STALLED_MS);
    return () => clearTimeout(timer);
  }, [processed, deferred]);
  return isStalled;
}

function JobCharts({ job }: { job: BulkJob }) {
  const t = useTexts();
  const { percent } = useFormats();
  if (job.processed === 0) return null;
  const byStatus = STATUSES.map((status) => ({
    id: status,
    label: t.status[status],
    value: job.by_status[status] ?? 0,
    color: colorOf(status),
  }));
  const byReason = Object.entries(job.by_reason).map(([reason, value]) => ({
    id: reason,
    label: t.shortReason[reason] ?? reason.replaceAll('_', ' '),
    value: value ?? 0,
    color: colorOf(statusOfReason(reason)),
  }));
  return (
    <div className={css.charts}>
      <Card title={t.job.byStatus}>
        <Donut
          label={t.job.byStatus}
          parts={byStatus}
          center={percent(job.by_status.deliverable ?? 0, job.processed)}
        />
      </Card>
      <Card title={t.job.byReason}>
        <Bars parts={byReason} />
      </Card>
    </div>
  );
}
