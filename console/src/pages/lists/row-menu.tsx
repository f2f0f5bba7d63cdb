import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { BulkJob } from '../../api/client';
import { listPagesEn } from '../../texts/lists/list-pages.en';
import { useTexts } from '../../texts/texts';
import { ConfirmDialog } from '../../ui/dialog';
import { Icon } from '../../ui/icons';
import { Menu, MenuItem } from '../../ui/menu';
import { deleteJob } from './delete-job';
import { DownloadDialog } from './download-dialog';
import { useDiscard } from './held/discarded';
import { RenameListDialog } from './rename-list-dialog';

/** What can be done with a list without opening it. */
export function RowMenu({ job }: { job: BulkJob }) {
  const t = useTexts(listPagesEn);
  const client = useQueryClient();
  const [dialog, setDialog] = useState<'clean' | 'rename' | 'delete' | null>(null);
  const discard = useDiscard(job);
  const close = () => setDialog(null);
  const name = job.name ?? t.lists.untitled;
  return (
    <>
      <Menu label={t.lists.actions(name)} button={<Icon name="more" />}>
        {(job.by_status.deliverable ?? 0) > 0 && (
          <MenuItem onSelect={() => setDialog('clean')}>{t.lists.downloadClean}</MenuItem>
        )}
        <MenuItem onSelect={() => setDialog('rename')}>{t.lists.rename}</MenuItem>
        {job.status === 'held' ? (
          // It has no results, and can be undone.
          <MenuItem isDangerous onSelect={discard}>
            {t.held.discard}
          </MenuItem>
        ) : (
          <MenuItem isDangerous onSelect={() => setDialog('delete')}>
            {t.job.delete}
          </MenuItem>
        )}
      </Menu>
      {dialog === 'clean' && <DownloadDialog job={job} preset="clean" onClose={close} />}
      {dialog === 'rename' && <RenameListDialog job={job} onClose={close} />}
      {dialog === 'delete' && (
        <ConfirmDialog
          title={t.job.delete}
          question={t.job.deleteAsk}
          confirm={t.job.delete}
          onConfirm={() => deleteJob(job.id, client)}
          onClose={close}
        />
      )}
    </>
  );
}
