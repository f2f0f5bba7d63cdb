import type { FormEvent } from 'react';
import { api, data, type Schemas } from '../../api/client';
import { EVENT_TYPES } from '../../api/constants';
import { useTexts } from '../../texts/texts';
import { webhooksEn } from '../../texts/webhooks.en';
import { ErrorNote } from '../../ui/query-result';
import { useApiMutation } from '../../ui/use-api-mutation';
import { Dialog } from '../../ui/dialog';
import { formText } from '../../ui/form-text';
import { Button, Check, Copy, Field, styles } from '../../ui/ui';
import { SignatureExample } from './signature-example';

/** A test is always sent to the webhook that it was requested for. */
const EVENTS = EVENT_TYPES.filter((type) => type !== 'webhook.test');

export function NewWebhookDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(webhooksEn);
  const create = useApiMutation(
    (body: Schemas['WebhookCreate']) => data(api.POST('/v1/webhooks', { body })),
    [['webhooks']],
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const chosen = EVENTS.filter((name) => formText(form, name) === 'on');
    const description = formText(form, 'description');
    create.mutate({
      url: formText(form, 'url'),
      ...(description !== '' && { description }),
      // All events, also those of later versions.
      ...(chosen.length > 0 && { events: chosen }),
    });
  };
  const secret = create.data?.secret ?? null;
  if (secret !== null) return <SecretDialog title={t.webhooks.ready} secret={secret} onClose={onClose} />;
  return (
    <Dialog title={t.webhooks.create} onClose={onClose}>
      <form className={styles.form} onSubmit={submit}>
        <Field label={t.webhooks.url}>
          {(props) => <input {...props} name="url" type="url" placeholder="https://" required autoFocus />}
        </Field>
        <Field label={`${t.webhooks.description} (${t.common.optional})`}>
          {(props) => <input {...props} name="description" maxLength={200} />}
        </Field>
        <details>
          <summary>
            {t.webhooks.events}: {t.webhooks.allEvents}
          </summary>
          {EVENTS.map((name) => (
            <Check key={name} name={name} label={name} />
          ))}
        </details>
        <ErrorNote error={create.error} />
        <div className={styles.actions}>
          <Button onClick={onClose}>{t.common.cancel}</Button>
          <Button type="submit" variant="primary" disabled={create.isPending}>
            {t.webhooks.create}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

export function SecretDialog({
  title,
  secret,
  onClose,
}: {
  title: string;
  secret: string;
  onClose: () => void;
}) {
  const t = useTexts(webhooksEn);
  return (
    <Dialog title={title} onClose={onClose}>
      <p>
        <strong>{t.common.shownOnce}</strong>
      </p>
      <Copy text={secret} label={t.webhooks.secret} />
      <h3>{t.webhooks.verify}</h3>
      <SignatureExample secret={secret} />
      <div className={styles.actions}>
        <Button variant="primary" onClick={onClose}>
          {t.common.close}
        </Button>
      </div>
    </Dialog>
  );
}
