import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, data, type BulkJob } from '../../api/client';
import { jobQuery, useMe } from '../../api/queries';
import { listPagesEn } from '../../texts/lists/list-pages.en';
import { useFormats, useTexts } from '../../texts/texts';
import { ConfirmDialog } from '../../ui/dialog';
import { Icon } from '../../ui/icons';
import { Menu, MenuItem } from '../../ui/menu';
import { ErrorNote } from '../../ui/query-result';
import { Badge, Button, styles } from '../../ui/ui';
import { useTitle } from '../../ui/use-title';
import { deleteJob } from './delete-job';
import { DownloadDialog } from './download-dialog';
import { isEnded } from './job-events';
import { JobStatusBadge } from './job-status-badge';
import css from './lists.module.css';
import { RenameListDialog } from './rename-list-dialog';
import { verdictsOf } from './results';
import { runAgain } from './run-again';

/** The name of a list, and what can be done with it. */
export function JobHead({ job }: { job: BulkJob }) {
  const t = useTexts(listPagesEn);
  useTitle(
    (isEnded(job) || job.status === 'held' ? '' : `${Math.floor((100 * job.processed) / job.total)} % `) +
      (job.name ?? t.lists.untitled),
  );
  const isSimulated = useMe()?.key.mode === 'test';
  const { number } = useFormats();
  const navigate = useNavigate();
  const client = useQueryClient();
  const [dialog, setDialog] = useState<'download' | 'rename' | 'cancel' | 'delete' | null>(null);
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
    await deleteJob(job.id, client);
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
          {isSimulated && <Badge tone="risky">{t.common.simulated}</Badge>}
        </div>
        <div className={`${styles.row} ${css.actions}`}>
          {verdictsOf(job) > 0 && (
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
          {!isEnded(job) && job.status !== 'held' && (
            <Button onClick={() => setDialog('cancel')}>{t.job.cancel}</Button>
          )}
          <Menu label={t.job.more} button={<Icon name="more" />}>
            <MenuItem onSelect={() => setDialog('rename')}>{t.lists.rename}</MenuItem>
            {/* The button below deletes a held list, without a question. */}
            {job.status !== 'held' && (
              <MenuItem isDangerous onSelect={() => setDialog('delete')}>
                {t.job.delete}
              </MenuItem>
            )}
          </Menu>
        </div>
      </div>
      <ErrorNote error={error} />
      {dialog === 'download' && <DownloadDialog job={job} onClose={close} />}
      {dialog === 'rename' && <RenameListDialog job={job} onClose={close} />}
      {dialog === 'cancel' && (
        <ConfirmDialog
          title={t.job.cancel}
          question={t.job.cancelAsk}
          confirm={t.job.cancel}
          cancel={t.job.keepRunning}
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
