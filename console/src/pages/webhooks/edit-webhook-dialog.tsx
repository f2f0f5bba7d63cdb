import { api, type Schemas } from '../../api/client';
import { useTexts } from '../../texts/texts';
import { webhooksEn } from '../../texts/webhooks.en';
import { Dialog } from '../../ui/dialog';
import { useApiMutation } from '../../ui/use-api-mutation';
import { areAllEvents, SELECTABLE_EVENTS } from './selectable-events';
import { WebhookForm, type WebhookFields } from './webhook-form';

/** Changes what differs; the secret stays. */
export function EditWebhookDialog({
  webhook,
  onClose,
}: {
  webhook: Schemas['Webhook'];
  onClose: () => void;
}) {
  const t = useTexts(webhooksEn);
  const { id, url, description, events } = webhook;
  const before: WebhookFields = {
    url,
    description,
    events: areAllEvents(events) ? null : SELECTABLE_EVENTS.filter((type) => events.includes(type)),
  };
  const save = useApiMutation(
    async (after: WebhookFields) => {
      const names = ['url', 'description', 'events'] as const;
      const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
      if (changed.length > 0)
        await api.PATCH('/v1/webhooks/{id}', {
          params: { path: { id } },
          body: Object.fromEntries(changed.map((name) => [name, after[name]])),
        });
      onClose();
    },
    [['webhook', id], ['webhooks']],
  );
  return (
    <Dialog title={t.webhooks.editTitle} onClose={onClose}>
      <WebhookForm
        before={before}
        submit={t.common.save}
        error={save.error}
        isBusy={save.isPending}
        onSubmit={(fields) => save.mutate(fields)}
        onCancel={onClose}
      />
    </Dialog>
  );
}
