import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState, type MouseEvent } from 'react';
import type { BulkJob } from '../../api/client';
import { useMe } from '../../api/queries';
import { listPagesEn } from '../../texts/lists/list-pages.en';
import { useFormats, useTexts } from '../../texts/texts';
import { colorOf } from '../../ui/charts/chart-colors';
import { ShareBar } from '../../ui/charts/charts';
import { ConfirmDialog } from '../../ui/dialog';
import { isOnRow } from '../../ui/keys/is-on-row';
import { Button, Check, Progress, Table, styles } from '../../ui/ui';
import { deleteJob } from './delete-job';
import { STATUSES } from './download';
import { isEnded } from './job-events';
import { JobStatusBadge } from './job-status-badge';
import { ROW } from './keys/list-keys';
import css from './lists.module.css';
import { RowMenu } from './row-menu';

/** Lists, of which several can be selected and deleted together. */
export function JobTable({ jobs, label }: { jobs: readonly BulkJob[]; label?: string }) {
  const t = useTexts(listPagesEn);
  const me = useMe();
  const { number, time } = useFormats();
  const navigate = useNavigate();
  const openBy = (event: MouseEvent, { id }: BulkJob) => {
    if (isOnRow(event)) void navigate({ to: '/lists/$id', params: { id } });
  };
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  // Those of another page, or that are gone, are not selected any more.
  const selected = jobs.filter(({ id }) => chosen.has(id));
  const choose = (id: string, isChosen: boolean) => {
    const next = new Set(selected.map((job) => job.id));
    if (isChosen) next.add(id);
    else next.delete(id);
    setChosen(next);
  };
  return (
    <>
      {selected.length > 0 && <Selection jobs={selected} onEnd={() => setChosen(new Set())} />}
      <Table
        label={label ?? t.lists.earlier}
        className={css.jobs}
        align={{ 3: 'end' }}
        head={[t.lists.nameShort, t.common.status, t.lists.outcome, t.lists.rows, t.common.createdAt]}
      >
        {jobs.map((job) => (
          <tr key={job.id} onClick={(event) => openBy(event, job)}>
            <td>
              <div className={css.chosen}>
                <Check
                  label={
                    <span className={styles.visuallyHidden}>
                      {t.lists.select(job.name ?? t.lists.untitled)}
                    </span>
                  }
                  checked={chosen.has(job.id)}
                  onChange={({ target }) => choose(job.id, target.checked)}
                />
                <div>
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
                </div>
              </div>
            </td>
            <td>
              <JobStatusBadge status={job.status} />
            </td>
            <td className={css.bar}>
              {job.status === 'held' ? (
                <Decision job={job} />
              ) : isEnded(job) ? (
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
    </>
  );
}

/** What a list waits for that was not started, and until when. */
function Decision({ job }: { job: BulkJob }) {
  const t = useTexts(listPagesEn);
  const { time } = useFormats();
  return (
    <>
      <Link to="/lists/$id" params={{ id: job.id }}>
        {t.held.decide}
      </Link>{' '}
      {job.expires_at !== null && <span className={css.share}>{t.held.until(time(job.expires_at))}</span>}
    </>
  );
}

/** What can be done with the selected lists. */
function Selection({ jobs, onEnd }: { jobs: readonly BulkJob[]; onEnd: () => void }) {
  const t = useTexts(listPagesEn);
  const client = useQueryClient();
  const [isAsking, setIsAsking] = useState(false);
  const erase = async () => {
    for (const { id } of jobs) await deleteJob(id, client);
  };
  return (
    <div className={styles.row} role="status">
      <strong>{t.lists.selected(jobs.length)}</strong>
      <Button small variant="danger" onClick={() => setIsAsking(true)}>
        {t.lists.deleteSelected(jobs.length)}
      </Button>
      <Button small onClick={onEnd}>
        {t.lists.selectNone}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t.lists.deleteSelected(jobs.length)}
          question={t.lists.deleteSelectedAsk(jobs.length)}
          confirm={t.lists.deleteSelected(jobs.length)}
          onConfirm={erase}
          onClose={() => setIsAsking(false)}
        />
      )}
    </div>
  );
}

/** The statuses of a list that has ended. */
function Outcome({ job }: { job: BulkJob }) {
  const t = useTexts(listPagesEn);
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
