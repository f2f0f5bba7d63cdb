import type { FormEvent } from 'react';
import { api, type Schemas } from '../../api/client';
import { teamEn } from '../../texts/team.en';
import { useTexts } from '../../texts/texts';
import { ErrorNote } from '../../ui/query-result';
import { useApiMutation } from '../../ui/use-api-mutation';
import { Form } from '../../ui/form';
import { formText } from '../../ui/form-text';
import { Button, Check, Field, styles } from '../../ui/ui';

export function Settings({ team }: { team: Schemas['Team'] }) {
  const t = useTexts(teamEn);
  const save = useApiMutation((body: Schemas['TeamUpdate']) => api.PATCH('/v1/team', { body }), [['me']]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    save.mutate({
      name: formText(form, 'name'),
      retention_days: Number(formText(form, 'retention')),
      role_is_risky: formText(form, 'role') === 'on',
    });
  };
  return (
    <Form error={save.error} onSubmit={submit}>
      <Field name="name" label={t.team.name}>
        {(props) => <input {...props} name="name" defaultValue={team.name} maxLength={100} required />}
      </Field>
      <Field name="retention_days" label={t.team.retention}>
        {(props) => (
          <input
            {...props}
            name="retention"
            type="number"
            min={0}
            defaultValue={team.retention_days}
            required
          />
        )}
      </Field>
      <Check name="role" defaultChecked={team.role_is_risky} label={t.team.roleIsRisky} />
      <ErrorNote error={save.error} />
      <div className={styles.row}>
        <Button type="submit" variant="primary" disabled={save.isPending}>
          {t.common.save}
        </Button>
        <span role="status">{save.isSuccess && t.team.saved}</span>
      </div>
    </Form>
  );
}
