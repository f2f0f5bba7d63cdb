import { useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { api, data, type BulkJob } from '../../api/client';
import { jobQuery } from '../../api/queries';
import { listPagesEn } from '../../texts/lists/list-pages.en';
import { useTexts } from '../../texts/texts';
import { Dialog } from '../../ui/dialog';
import { Form } from '../../ui/form';
import { formText } from '../../ui/form-text';
import { ErrorNote } from '../../ui/query-result';
import { Button, Field, styles } from '../../ui/ui';
import { useApiMutation } from '../../ui/use-api-mutation';

export function RenameListDialog({ job, onClose }: { job: BulkJob; onClose: () => void }) {
  const t = useTexts(listPagesEn);
  const client = useQueryClient();
  const params = { path: { id: job.id } };
  const rename = useApiMutation(
    (name: string) => data(api.PATCH('/v1/bulk-jobs/{id}', { params, body: { name: name.trim() || null } })),
    [['jobs']],
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    rename.mutate(formText(event.currentTarget, 'name'), {
      onSuccess: (renamed) => {
        client.setQueryData(jobQuery(job.id).queryKey, renamed);
        onClose();
      },
    });
  };
  return (
    <Dialog title={t.lists.rename} onClose={onClose}>
      <Form error={rename.error} onSubmit={submit}>
        <Field name="name" label={t.lists.name}>
          {(props) => (
            <input {...props} name="name" maxLength={100} defaultValue={job.name ?? ''} autoFocus />
          )}
        </Field>
        <ErrorNote error={rename.error} />
        <div className={styles.actions}>
          <Button onClick={onClose}>{t.common.cancel}</Button>
          <Button type="submit" variant="primary" disabled={rename.isPending}>
            {t.lists.rename}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
