import type { FormEvent } from 'react';
import { api, type Schemas } from '../../api/client';
import { teamEn } from '../../texts/team.en';
import { useTexts } from '../../texts/texts';
import { ErrorNote } from '../../ui/query-result';
import { useApiMutation } from '../../ui/use-api-mutation';
import { Form } from '../../ui/form';
import { formText } from '../../ui/form-text';
import { Button, Check, Field, styles } from '../../ui/ui';

type Changes = Schemas['TeamUpdate'];

export function Settings({ team }: { team: Schemas['Team'] }) {
  const t = useTexts(teamEn);
  const save = useApiMutation(
    async (body: Changes) => {
      if (Object.keys(body).length > 0) await api.PATCH('/v1/team', { body });
    },
    [['me']],
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    save.mutate(changesIn(event.currentTarget, team));
  };
  return (
    <Form error={save.error} onSubmit={submit}>
      <Field name="name" label={t.team.name}>
        {(props) => <input {...props} name="name" defaultValue={team.name} maxLength={100} required />}
      </Field>
      <Field
        name="retention_days"
        label={t.team.retention}
        hint={t.team.retentionHint(team.max_retention_days)}
      >
        {(props) => (
          <input
            {...props}
            name="retention"
            type="number"
            min={0}
            max={team.max_retention_days}
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

/** Only what differs: a default that is sent would be a setting of its own. */
function changesIn(form: HTMLFormElement, team: Schemas['Team']): Changes {
  const name = formText(form, 'name');
  const days = Number(formText(form, 'retention'));
  const isRisky = formText(form, 'role') === 'on';
  return {
    ...(name !== team.name && { name }),
    ...(days !== team.retention_days && { retention_days: days }),
    ...(isRisky !== team.role_is_risky && { role_is_risky: isRisky }),
  };
}
