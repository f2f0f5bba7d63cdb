import { api, data } from '../../api/client';
import { useTexts } from '../../texts/texts';
import { webhooksEn } from '../../texts/webhooks.en';
import { Dialog } from '../../ui/dialog';
import { Button, Copy, styles } from '../../ui/ui';
import { useApiMutation } from '../../ui/use-api-mutation';
import { SignatureExample } from './signature-example';
import { WebhookForm, type WebhookFields } from './webhook-form';

export function NewWebhookDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(webhooksEn);
  const create = useApiMutation(
    (body: WebhookFields) => data(api.POST('/v1/webhooks', { body })),
    [['webhooks']],
  );
  const secret = create.data?.secret ?? null;
  if (secret !== null) return <SecretDialog title={t.webhooks.ready} secret={secret} onClose={onClose} />;
  return (
    <Dialog title={t.webhooks.create} onClose={onClose}>
      <WebhookForm
        submit={t.webhooks.create}
        error={create.error}
        isBusy={create.isPending}
        onSubmit={(fields) => create.mutate(fields)}
        onCancel={onClose}
      />
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
