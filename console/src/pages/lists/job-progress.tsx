import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { api, data, type BulkJob } from '../../api/client';
import { jobQuery, useMe } from '../../api/queries';
import { listPagesEn } from '../../texts/lists/list-pages.en';
import { useFormats, useTexts } from '../../texts/texts';
import { ErrorNote } from '../../ui/query-result';
import { Button, Card, Progress, styles } from '../../ui/ui';
import { isEnded } from './job-events';
import { MailSwitch } from './ready/list-mail';
import css from './lists.module.css';
import { useReadyNotice } from './ready/ready-notice';

export function JobProgress({ job, isLive }: { job: BulkJob; isLive: boolean }) {
  const t = useTexts(listPagesEn);
  const { number, time } = useFormats();
  const isOperator = useMe()?.operator === true;
  const isStalled = useStalled(job);
  const progress = t.job.progress(number(job.processed), number(job.total));
  const state = () => {
    if (job.eta_seconds === null) return '';
    const left = t.verify.age(job.eta_seconds);
    // The rows that wait for their mail servers are not in the estimate.
    const eta = job.deferred > 0 ? t.job.etaOfOthers(left) : t.job.eta(left);
    return `${isStalled ? t.job.stalled : eta} · `;
  };
  const summary = (
    <>
      {job.empty > 0 && `${t.job.empty(number(job.empty))} `}
      {job.duplicates > 0 && `${t.job.duplicates(number(job.duplicates))} `}
      {t.job.usage(number(job.usage.charged), number(job.usage.returned))}{' '}
      {job.expires_at !== null && t.job.expires(time(job.expires_at))}{' '}
      {job.created_by !== null && `${t.lists.createdBy(job.created_by.email)}.`}
    </>
  );
  if (job.status === 'completed')
    return (
      <p className={styles.muted}>
        {progress}. {summary}
      </p>
    );
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
      {!isEnded(job) && (
        <>
          {isOperator && (job.status === 'running' || job.status === 'queued') && (
            <p>
              <Link to="/system" hash="sessions">
                {t.job.whyWaiting}
              </Link>
            </p>
          )}
          <MailSwitch job={job} />
          <ReadyButton job={job} />
        </>
      )}
      {job.deferred > 0 && <Deferred job={job} />}
      {job.failure !== null && (
        <p className={styles.error}>
          <strong>{t.job.failure}</strong> {job.failure}
        </p>
      )}
      <p className={styles.muted}>{summary}</p>
    </Card>
  );
}

function ReadyButton({ job }: { job: BulkJob }) {
  const t = useTexts(listPagesEn);
  const { isAsked, ask } = useReadyNotice(job.id, ({ name }) => t.job.isReady(name ?? t.lists.untitled));
  if (isAsked) return <p role="status">{t.job.willNotify}</p>;
  return (
    <div>
      <Button small onClick={() => void ask()}>
        {t.job.notify}
      </Button>
    </div>
  );
}

/** Why the list waits, until when, and how to end it. */
function Deferred({ job }: { job: BulkJob }) {
  const t = useTexts(listPagesEn);
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
