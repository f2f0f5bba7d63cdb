import type { FormEvent } from 'react';
import { api, type Schemas } from '../../api/client';
import { teamEn } from '../../texts/team.en';
import { useTexts } from '../../texts/texts';
import { Dialog } from '../../ui/dialog';
import { Form } from '../../ui/form';
import { formText } from '../../ui/form-text';
import { ErrorNote } from '../../ui/query-result';
import { Button, Field, styles } from '../../ui/ui';
import { useApiMutation } from '../../ui/use-api-mutation';

export function RenameKeyDialog({ renamed, onClose }: { renamed: Schemas['Key']; onClose: () => void }) {
  const t = useTexts(teamEn);
  const rename = useApiMutation(
    (name: string) => api.PATCH('/v1/keys/{id}', { params: { path: { id: renamed.id } }, body: { name } }),
    [['keys']],
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    rename.mutate(formText(event.currentTarget, 'name'), { onSuccess: onClose });
  };
  return (
    <Dialog title={t.keys.rename} onClose={onClose}>
      <Form error={rename.error} onSubmit={submit}>
        <Field name="name" label={t.keys.name}>
          {(props) => (
            <input {...props} name="name" maxLength={100} defaultValue={renamed.name} required autoFocus />
          )}
        </Field>
        <ErrorNote error={rename.error} />
        <div className={styles.actions}>
          <Button onClick={onClose}>{t.common.cancel}</Button>
          <Button type="submit" variant="primary" disabled={rename.isPending}>
            {t.keys.rename}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
