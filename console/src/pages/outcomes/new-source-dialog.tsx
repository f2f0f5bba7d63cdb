import { useState, type FormEvent } from 'react';
import { api, data, type Schemas } from '../../api/client';
import { outcomesEn } from '../../texts/outcomes.en';
import { useTexts } from '../../texts/texts';
import { Dialog } from '../../ui/dialog';
import { Form } from '../../ui/form';
import { formText } from '../../ui/form-text';
import { ErrorNote } from '../../ui/query-result';
import { useApiMutation } from '../../ui/use-api-mutation';
import { Button, Copy, Field, styles } from '../../ui/ui';

type Kind = Schemas['OutcomeSource']['kind'];

/** Providers whose URL alone is enough; a credential makes it safer. */
const OPTIONAL: readonly Kind[] = ['postmark', 'brevo', 'sparkpost', 'mailjet', 'kumomta'];

/** Adds a source, and shows its URL once. */
export function NewSourceDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(outcomesEn);
  const [kind, setKind] = useState<Kind>('ses');
  const create = useApiMutation(
    (body: Schemas['OutcomeSourceCreate']) => data(api.POST('/v1/outcome-sources', { body })),
    [['outcome-sources']],
  );
  const { secret, place } = t.outcomes.kinds[kind];
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = formText(event.currentTarget, 'secret');
    create.mutate({ kind, ...(given !== '' && { secret: given }) });
  };
  const url = create.data?.url ?? null;
  if (url !== null)
    return (
      <Dialog title={t.outcomes.ready} onClose={onClose}>
        <p>
          <strong>{t.common.shownOnce}</strong>
        </p>
        <Copy text={url} label={t.outcomes.url} />
        <p>{place}</p>
        <div className={styles.actions}>
          <Button variant="primary" onClick={onClose}>
            {t.common.close}
          </Button>
        </div>
      </Dialog>
    );
  const isOptional = OPTIONAL.includes(kind);
  return (
    <Dialog title={t.outcomes.add} onClose={onClose}>
      <Form error={create.error} onSubmit={submit}>
        <Field name="kind" label={t.outcomes.kind} hint={place}>
          {(props) => (
            <select {...props} value={kind} onChange={({ target }) => setKind(target.value as Kind)}>
              {Object.entries(t.outcomes.kinds).map(([value, { name }]) => (
                <option key={value} value={value}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
        {secret !== '' && (
          <Field key={kind} name="secret" label={isOptional ? `${secret} (${t.common.optional})` : secret}>
            {(props) => (
              <input
                {...props}
                name="secret"
                maxLength={1_000}
                autoComplete="off"
                spellCheck={false}
                required={!isOptional}
              />
            )}
          </Field>
        )}
        <ErrorNote error={create.error} />
        <div className={styles.actions}>
          <Button onClick={onClose}>{t.common.cancel}</Button>
          <Button type="submit" variant="primary" disabled={create.isPending}>
            {t.outcomes.add}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
