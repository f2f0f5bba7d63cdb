import { useState, type FormEvent } from 'react';
import { useTexts } from '../../texts/texts';
import { webhooksEn } from '../../texts/webhooks.en';
import { Form } from '../../ui/form';
import { formText } from '../../ui/form-text';
import { ErrorNote } from '../../ui/query-result';
import { Button, Field, styles } from '../../ui/ui';
import { EventChoice, type EventChoiceProps } from './event-choice';
import type { SelectableEvent } from './selectable-events';

export interface WebhookFields {
  url: string;
  /** null: none. */
  description: string | null;
  /** null: all. */
  events: SelectableEvent[] | null;
}

/** What a webhook is made of, and what can be changed of it. */
export function WebhookForm({
  before,
  submit,
  error,
  isBusy,
  onSubmit,
  onCancel,
}: {
  before?: WebhookFields;
  submit: string;
  error: Error | null;
  isBusy: boolean;
  onSubmit: (fields: WebhookFields) => void;
  onCancel: () => void;
}) {
  const t = useTexts(webhooksEn);
  const [events, setEvents] = useState<EventChoiceProps['value']>(before?.events ?? null);
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const description = formText(form, 'description');
    onSubmit({
      url: formText(form, 'url'),
      description: description === '' ? null : description,
      events: events === null ? null : [...events],
    });
  };
  return (
    <Form error={error} onSubmit={send}>
      <Field name="url" label={t.webhooks.url}>
        {(props) => (
          <input
            {...props}
            name="url"
            type="url"
            placeholder="https://"
            required
            autoFocus
            defaultValue={before?.url}
          />
        )}
      </Field>
      <Field name="description" label={`${t.webhooks.description} (${t.common.optional})`}>
        {(props) => (
          <input {...props} name="description" maxLength={200} defaultValue={before?.description ?? ''} />
        )}
      </Field>
      <EventChoice value={events} onChange={setEvents} />
      <ErrorNote error={error} />
      <div className={styles.actions}>
        <Button onClick={onCancel}>{t.common.cancel}</Button>
        <Button type="submit" variant="primary" disabled={isBusy || events?.length === 0}>
          {submit}
        </Button>
      </div>
    </Form>
  );
}
