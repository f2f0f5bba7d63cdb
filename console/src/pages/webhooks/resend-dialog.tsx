import type { FormEvent } from 'react';
import { api, data } from '../../api/client';
import { useFormats, useTexts } from '../../texts/texts';
import { webhooksEn } from '../../texts/webhooks.en';
import { Dialog } from '../../ui/dialog';
import { Form } from '../../ui/form';
import { formText } from '../../ui/form-text';
import { ErrorNote } from '../../ui/query-result';
import { Button, Field, styles } from '../../ui/ui';
import { useApiMutation } from '../../ui/use-api-mutation';
import type { FastPoll } from './fast-poll';

const DAY_MS = 24 * 3_600_000;
const MINUTE_MS = 60_000;

/** A time as the input has it: in the zone of the reader. */
const localTime = (at: Date) =>
  new Date(at.getTime() - at.getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 16);

/** Sends the failed deliveries since a time again. */
export function ResendDialog({
  webhookId,
  from,
  fast,
  onClose,
}: {
  webhookId: string;
  /** Of the filter. */
  from: string | null;
  fast: FastPoll;
  onClose: () => void;
}) {
  const t = useTexts(webhooksEn);
  const { number } = useFormats();
  const resend = useApiMutation(
    (since: string) => {
      fast.begin();
      const params = { path: { id: webhookId } };
      return data(api.POST('/v1/webhooks/{id}/retry-failed', { params, body: { since } }));
    },
    [
      ['deliveries', webhookId],
      ['webhook', webhookId],
    ],
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    resend.mutate(new Date(formText(event.currentTarget, 'since')).toISOString());
  };
  return (
    <Dialog title={t.webhooks.resendTitle} onClose={onClose}>
      <Form error={resend.error} onSubmit={submit}>
        <Field name="since" label={t.webhooks.from} hint={t.webhooks.resendHint}>
          {(props) => (
            <input
              {...props}
              name="since"
              type="datetime-local"
              required
              defaultValue={from ?? localTime(new Date(Date.now() - DAY_MS))}
            />
          )}
        </Field>
        <ErrorNote error={resend.error} />
        <p role="status">{resend.data !== undefined && t.webhooks.resent(number(resend.data.retried))}</p>
        <div className={styles.actions}>
          <Button onClick={onClose}>{t.common.close}</Button>
          <Button type="submit" variant="primary" disabled={resend.isPending}>
            {t.webhooks.redeliver}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
