import { useState, type FormEvent } from 'react';
import { api, data, type Schemas } from '../../api/client';
import { useTexts } from '../../texts/texts';
import { webhooksEn } from '../../texts/webhooks.en';
import { ErrorNote } from '../../ui/query-result';
import { useApiMutation } from '../../ui/use-api-mutation';
import { Dialog } from '../../ui/dialog';
import { Form } from '../../ui/form';
import { formText } from '../../ui/form-text';
import { Button, Copy, Field, styles } from '../../ui/ui';
import { EventChoice, type EventChoiceProps } from './event-choice';
import { SignatureExample } from './signature-example';

export function NewWebhookDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(webhooksEn);
  const [events, setEvents] = useState<EventChoiceProps['value']>(null);
  const create = useApiMutation(
    (body: Schemas['WebhookCreate']) => data(api.POST('/v1/webhooks', { body })),
    [['webhooks']],
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const description = formText(form, 'description');
    create.mutate({
      url: formText(form, 'url'),
      ...(description !== '' && { description }),
      ...(events !== null && { events: [...events] }),
    });
  };
  const secret = create.data?.secret ?? null;
  if (secret !== null) return <SecretDialog title={t.webhooks.ready} secret={secret} onClose={onClose} />;
  return (
    <Dialog title={t.webhooks.create} onClose={onClose}>
      <Form error={create.error} onSubmit={submit}>
        <Field name="url" label={t.webhooks.url}>
          {(props) => <input {...props} name="url" type="url" placeholder="https://" required autoFocus />}
        </Field>
        <Field name="description" label={`${t.webhooks.description} (${t.common.optional})`}>
          {(props) => <input {...props} name="description" maxLength={200} />}
        </Field>
        <EventChoice value={events} onChange={setEvents} />
        <ErrorNote error={create.error} />
        <div className={styles.actions}>
          <Button onClick={onClose}>{t.common.cancel}</Button>
          <Button type="submit" variant="primary" disabled={create.isPending || events?.length === 0}>
            {t.webhooks.create}
          </Button>
        </div>
      </Form>
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
    <Dialog title={title} isKept onClose={onClose}>
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
