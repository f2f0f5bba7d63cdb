import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, data, type Schemas } from '../../api/client';
import { useTexts } from '../../texts/texts';
import { webhooksEn } from '../../texts/webhooks.en';
import { QueryResult, ErrorNote } from '../../ui/query-result';
import { useApiMutation } from '../../ui/use-api-mutation';
import { ConfirmDialog } from '../../ui/dialog';
import { Icon } from '../../ui/icons';
import { Menu, MenuItem } from '../../ui/menu';
import { notice } from '../../ui/notice';
import { PageHead } from '../../ui/page-head';
import { Badge, Button, Card, styles } from '../../ui/ui';
import { Deliveries } from './deliveries';
import { WebhookState } from './delivery-state';
import { EditWebhookDialog } from './edit-webhook-dialog';
import { EventExample } from './event-example';
import { useFastPoll, type FastPoll } from './fast-poll';
import { SecretDialog } from './new-webhook-dialog';
import { areAllEvents } from './selectable-events';
import { SignatureExample } from './signature-example';
import { useTitle } from '../../ui/use-title';

const POLL_MS = 10_000;
const route = getRouteApi('/webhooks/$id');

export function WebhookPage() {
  const { id } = route.useParams();
  const t = useTexts(webhooksEn);
  useTitle(t.nav.webhooks);
  const webhook = useQuery({
    queryKey: ['webhook', id],
    queryFn: () => data(api.GET('/v1/webhooks/{id}', { params: { path: { id } } })),
    // Whether deliveries fail.
    refetchInterval: POLL_MS,
  });
  const fast = useFastPoll();
  return (
    <div className={styles.stack}>
      <Link to="/webhooks">← {t.webhooks.back}</Link>
      <QueryResult query={webhook} title={t.nav.webhooks}>
        {(found) => (
          <>
            <WebhookHead webhook={found} fast={fast} />
            <Deliveries webhookId={id} fast={fast} />
            <EventExample events={found.events} />
            <Card title={t.webhooks.verify}>
              <p className={styles.muted}>{t.webhooks.verifyHint}</p>
              <SignatureExample />
            </Card>
          </>
        )}
      </QueryResult>
    </div>
  );
}

function WebhookHead({ webhook, fast }: { webhook: Schemas['WebhookWithDeliveries']; fast: FastPoll }) {
  const t = useTexts(webhooksEn);
  const navigate = useNavigate();
  const client = useQueryClient();
  const params = { path: { id: webhook.id } };
  const [asks, setAsks] = useState<'edit' | 'rotate' | 'delete' | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const changed = [['webhook', webhook.id], ['webhooks'], ['deliveries', webhook.id]];
  const test = useApiMutation(() => {
    fast.begin();
    return api.POST('/v1/webhooks/{id}/test', { params });
  }, changed);
  const enable = useApiMutation(
    (enabled: boolean) => api.PATCH('/v1/webhooks/{id}', { params, body: { enabled } }),
    changed,
  );
  const disable = () =>
    enable.mutate(false, {
      onSuccess: () => notice.set({ text: t.webhooks.nowDisabled, undo: () => enable.mutateAsync(true) }),
    });
  const rotate = async () => {
    const rotated = await data(api.POST('/v1/webhooks/{id}/rotate-secret', { params }));
    setSecret(rotated.secret);
  };
  const erase = async () => {
    await api.DELETE('/v1/webhooks/{id}', { params });
    await client.invalidateQueries({ queryKey: ['webhooks'] });
    await navigate({ to: '/webhooks' });
  };
  return (
    <>
      <PageHead
        title={webhook.url}
        badges={<WebhookState webhook={webhook} />}
        {...(webhook.description !== null && { intro: webhook.description })}
      >
        <div className={styles.row}>
          <Button variant="primary" onClick={() => test.mutate()} disabled={test.isPending}>
            {t.webhooks.test}
          </Button>
          <Menu label={t.common.actions} button={<Icon name="more" />}>
            <MenuItem onSelect={() => setAsks('edit')}>{t.webhooks.edit}</MenuItem>
            <MenuItem onSelect={() => (webhook.enabled ? disable() : enable.mutate(true))}>
              {webhook.enabled ? t.webhooks.disable : t.webhooks.enable}
            </MenuItem>
            <MenuItem onSelect={() => setAsks('rotate')}>{t.webhooks.rotate}</MenuItem>
            <MenuItem isDangerous onSelect={() => setAsks('delete')}>
              {t.common.delete}
            </MenuItem>
          </Menu>
        </div>
      </PageHead>
      <p className={styles.row}>
        {areAllEvents(webhook.events) ? (
          <Badge>{t.webhooks.allEvents}</Badge>
        ) : (
          webhook.events.map((event) => <Badge key={event}>{event}</Badge>)
        )}
      </p>
      <ErrorNote error={test.error ?? enable.error} />
      {asks === 'edit' && <EditWebhookDialog webhook={webhook} onClose={() => setAsks(null)} />}
      {asks === 'rotate' && (
        <ConfirmDialog
          title={t.webhooks.rotate}
          question={t.webhooks.rotateAsk}
          confirm={t.webhooks.rotate}
          onConfirm={rotate}
          onClose={() => setAsks(null)}
        />
      )}
      {asks === 'delete' && (
        <ConfirmDialog
          title={t.common.delete}
          question={t.webhooks.deleteAsk(webhook.url)}
          confirm={t.common.delete}
          onConfirm={erase}
          onClose={() => setAsks(null)}
        />
      )}
      {secret !== null && (
        <SecretDialog title={t.webhooks.rotated} secret={secret} onClose={() => setSecret(null)} />
      )}
    </>
  );
}
