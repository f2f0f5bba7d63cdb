import { api, data, type Schemas } from '../../api/client';
import { useFormats, useTexts } from '../../texts/texts';
import { ErrorNote } from '../../ui/query-result';
import { useApiMutation } from '../../ui/use-api-mutation';
import { ResourceTable } from '../../ui/resource-table';
import { Badge, Button, Card, styles, type Tone } from '../../ui/ui';

type Delivery = Schemas['Delivery'];
const TONES: Record<Delivery['status'], Tone> = {
  pending: 'accent',
  succeeded: 'deliverable',
  failed: 'undeliverable',
};
const POLL_MS = 3_000;

export function Deliveries({ webhookId }: { webhookId: string }) {
  const t = useTexts();
  const path = { id: webhookId };
  const again = useApiMutation(
    (id: string) =>
      api.POST('/v1/webhooks/{id}/deliveries/{delivery_id}/retry', {
        params: { path: { ...path, delivery_id: id } },
      }),
    [['deliveries', webhookId]],
  );
  return (
    <Card title={t.webhooks.deliveries}>
      <ErrorNote error={again.error} />
      <ResourceTable
        queryKey={['deliveries', webhookId]}
        load={(query) => data(api.GET('/v1/webhooks/{id}/deliveries', { params: { path, query } }))}
        label={t.webhooks.deliveries}
        head={[t.webhooks.event, t.common.status, t.webhooks.lastAnswer, t.webhooks.attempts, '']}
        empty={<p className={styles.muted}>{t.webhooks.noDeliveries}</p>}
        pollMs={(rows) => rows.some(({ status }) => status === 'pending') && POLL_MS}
      >
        {(delivery) => (
          <tr key={delivery.id}>
            <td>
              <code>{delivery.type}</code>
            </td>
            <td>
              <Badge tone={TONES[delivery.status]}>{t.webhooks.status[delivery.status]}</Badge>
            </td>
            <td>
              <Attempts delivery={delivery} />
            </td>
            <td>{delivery.attempts.length}</td>
            <td className={styles.end}>
              <Button small disabled={again.isPending} onClick={() => again.mutate(delivery.id)}>
                {t.webhooks.redeliver}
              </Button>
            </td>
          </tr>
        )}
      </ResourceTable>
    </Card>
  );
}

/** The response of the endpoint is rendered as text, whatever it contains. */
function Attempts({ delivery }: { delivery: Delivery }) {
  const t = useTexts();
  const { time } = useFormats();
  const last = delivery.attempts.at(-1);
  const next = delivery.next_attempt_at;
  return (
    <>
      {last !== undefined && (
        <details>
          <summary>
            {last.status_code ?? last.error ?? t.webhooks.noAnswer} · {t.webhooks.took(last.duration_ms)} ·{' '}
            {time(last.at)}
          </summary>
          <ol>
            {delivery.attempts.map((attempt, index) => (
              <li key={attempt.at}>
                <p className={styles.muted}>
                  {t.webhooks.attempt(index + 1)}: {time(attempt.at)}, {attempt.status_code ?? ''}{' '}
                  {attempt.error ?? ''}
                </p>
                {attempt.response_excerpt !== null && (
                  <pre className={styles.wrap}>{attempt.response_excerpt}</pre>
                )}
              </li>
            ))}
          </ol>
        </details>
      )}
      {next !== null && <span className={styles.muted}>{t.webhooks.nextAttempt(time(next))}</span>}
    </>
  );
}
