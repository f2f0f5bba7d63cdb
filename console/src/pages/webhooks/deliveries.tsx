import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, data } from '../../api/client';
import { useFormats, useTexts } from '../../texts/texts';
import { webhooksEn } from '../../texts/webhooks.en';
import { ErrorNote } from '../../ui/query-result';
import { useApiMutation } from '../../ui/use-api-mutation';
import { ResourceTable } from '../../ui/resource-table';
import { Button, Card, styles } from '../../ui/ui';
import { queryOf, StatusFilter, TypeAndTime, type DeliveryFilter } from './delivery-filters';
import { DeliveryPanel } from './delivery-panel';
import { DeliveryState, type Delivery } from './delivery-state';
import { pollOf, type FastPoll } from './fast-poll';
import { ResendDialog } from './resend-dialog';

const route = getRouteApi('/webhooks/$id');

export function Deliveries({ webhookId, fast }: { webhookId: string; fast: FastPoll }) {
  const t = useTexts(webhooksEn);
  const { exactTime } = useFormats();
  const navigate = useNavigate();
  const filter = route.useSearch();
  const query = queryOf(filter);
  const [opened, setOpened] = useState<{ id: string; ids: readonly string[] } | null>(null);
  const [isResending, setIsResending] = useState(false);
  const path = { id: webhookId };
  const change = (changes: object) => {
    const entries = Object.entries({ ...filter, ...changes }).filter(([, value]) => value !== undefined);
    const search = Object.fromEntries(entries) as DeliveryFilter;
    void navigate({ to: '/webhooks/$id', params: path, search, replace: true });
  };
  const again = useApiMutation(
    (id: string) => {
      fast.begin();
      return api.POST('/v1/webhooks/{id}/deliveries/{delivery_id}/retry', {
        params: { path: { ...path, delivery_id: id } },
      });
    },
    [
      ['deliveries', webhookId],
      ['webhook', webhookId],
    ],
  );
  const others = { ...query };
  delete others.status;
  return (
    <Card title={t.webhooks.deliveries} action={<StatusFilter filter={filter} onChange={change} />}>
      <TypeAndTime filter={filter} onChange={change} />
      <div>
        <Button small onClick={() => setIsResending(true)}>
          {t.webhooks.resend}
        </Button>
      </div>
      <ErrorNote error={again.error} />
      <ResourceTable
        queryKey={['deliveries', webhookId, JSON.stringify(query)]}
        load={(page) =>
          data(api.GET('/v1/webhooks/{id}/deliveries', { params: { path, query: { ...query, ...page } } }))
        }
        label={t.webhooks.deliveries}
        head={[
          t.webhooks.event,
          t.common.status,
          t.webhooks.created,
          t.webhooks.lastAnswer,
          t.webhooks.attempts,
          '',
        ]}
        empty={
          <p className={styles.muted}>
            {Object.keys(others).length > 0
              ? t.webhooks.noneMatches
              : query.status === undefined
                ? t.webhooks.noDeliveries
                : t.webhooks.noneOfStatus}
          </p>
        }
        pollMs={(rows) => pollOf(fast, rows)}
      >
        {(delivery, rows) => (
          <tr key={delivery.id}>
            <td className={styles.whole}>
              <Button
                small
                title={t.webhooks.openDelivery}
                onClick={() => setOpened({ id: delivery.id, ids: rows.map(({ id }) => id) })}
              >
                {delivery.type}
              </Button>
            </td>
            <td>
              <DeliveryState delivery={delivery} />
            </td>
            <td className={styles.whole}>{exactTime(delivery.created_at)}</td>
            <td>
              <LastAttempt delivery={delivery} />
            </td>
            <td>{delivery.attempts.length}</td>
            <td className={styles.end}>
              <Button
                small
                aria-label={`${t.webhooks.redeliver}: ${delivery.type} ${delivery.event_id}`}
                disabled={again.isPending}
                onClick={() => again.mutate(delivery.id)}
              >
                {t.webhooks.redeliver}
              </Button>
            </td>
          </tr>
        )}
      </ResourceTable>
      {opened !== null && (
        <DeliveryPanel
          webhookId={webhookId}
          deliveryId={opened.id}
          ids={opened.ids}
          fast={fast}
          onAgain={(id) => again.mutateAsync(id)}
          onOpen={(id) => setOpened({ ...opened, id })}
          onClose={() => setOpened(null)}
        />
      )}
      {isResending && (
        <ResendDialog
          webhookId={webhookId}
          from={filter.from ?? null}
          fast={fast}
          onClose={() => setIsResending(false)}
        />
      )}
    </Card>
  );
}

function LastAttempt({ delivery }: { delivery: Delivery }) {
  const t = useTexts(webhooksEn);
  const { exactTime } = useFormats();
  const last = delivery.attempts.at(-1);
  if (last === undefined) return null;
  return (
    <>
      {last.status_code ?? t.webhooks.noAnswer} · {t.webhooks.took(last.duration_ms)} · {exactTime(last.at)}
    </>
  );
}
