import { useState } from 'react';
import { api, data } from '../../api/client';
import { useFormats, useTexts } from '../../texts/texts';
import { webhooksEn } from '../../texts/webhooks.en';
import { ErrorNote } from '../../ui/query-result';
import { useApiMutation } from '../../ui/use-api-mutation';
import { ResourceTable } from '../../ui/resource-table';
import { Badge, Button, Card, styles } from '../../ui/ui';
import { DeliveryPanel } from './delivery-panel';
import { DELIVERY_TONES, type Delivery } from './delivery-tones';

const POLL_MS = 3_000;

export function Deliveries({ webhookId }: { webhookId: string }) {
  const t = useTexts(webhooksEn);
  const [opened, setOpened] = useState<string | null>(null);
  const [status, setStatus] = useState<Delivery['status'] | null>(null);
  const path = { id: webhookId };
  const again = useApiMutation(
    (id: string) =>
      api.POST('/v1/webhooks/{id}/deliveries/{delivery_id}/retry', {
        params: { path: { ...path, delivery_id: id } },
      }),
    [['deliveries', webhookId]],
  );
  return (
    <Card title={t.webhooks.deliveries} action={<StatusFilter value={status} onChange={setStatus} />}>
      <ErrorNote error={again.error} />
      <ResourceTable
        queryKey={['deliveries', webhookId, status ?? '']}
        load={(page) => {
          const query = { ...page, ...(status !== null && { status }) };
          return data(api.GET('/v1/webhooks/{id}/deliveries', { params: { path, query } }));
        }}
        label={t.webhooks.deliveries}
        head={[t.webhooks.event, t.common.status, t.webhooks.lastAnswer, t.webhooks.attempts, '']}
        empty={
          <p className={styles.muted}>
            {status === null ? t.webhooks.noDeliveries : t.webhooks.noneOfStatus}
          </p>
        }
        pollMs={(rows) => rows.some(({ status }) => status === 'pending') && POLL_MS}
      >
        {(delivery) => (
          <tr key={delivery.id}>
            <td>
              <Button small title={t.webhooks.openDelivery} onClick={() => setOpened(delivery.id)}>
                {delivery.type}
              </Button>
            </td>
            <td>
              <Badge tone={DELIVERY_TONES[delivery.status]}>{t.webhooks.status[delivery.status]}</Badge>
            </td>
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
        <DeliveryPanel webhookId={webhookId} deliveryId={opened} onClose={() => setOpened(null)} />
      )}
    </Card>
  );
}

interface StatusFilterProps {
  value: Delivery['status'] | null;
  onChange: (status: Delivery['status'] | null) => void;
}

function StatusFilter({ value, onChange }: StatusFilterProps) {
  const t = useTexts(webhooksEn);
  return (
    <div role="group" aria-label={t.webhooks.filter} className={styles.row}>
      {([null, 'pending', 'succeeded', 'failed'] as const).map((status) => (
        <Button key={status} small aria-pressed={status === value} onClick={() => onChange(status)}>
          {status === null ? t.webhooks.all : t.webhooks.status[status]}
        </Button>
      ))}
    </div>
  );
}

function LastAttempt({ delivery }: { delivery: Delivery }) {
  const t = useTexts(webhooksEn);
  const { time } = useFormats();
  const last = delivery.attempts.at(-1);
  const next = delivery.next_attempt_at;
  return (
    <>
      {last !== undefined && (
        <div>
          {last.status_code ?? t.webhooks.noAnswer} · {t.webhooks.took(last.duration_ms)} · {time(last.at)}
        </div>
      )}
      {next !== null && <span className={styles.muted}>{t.webhooks.nextAttempt(time(next))}</span>}
    </>
  );
}
