import { useQuery } from '@tanstack/react-query';
import { api, data, type Schemas } from '../../api/client';
import { useFormats, useTexts } from '../../texts/texts';
import { webhooksEn } from '../../texts/webhooks.en';
import { Dialog } from '../../ui/dialog';
import { QueryResult } from '../../ui/query-result';
import { Untrusted } from '../../ui/untrusted';
import { Badge, Copy, styles } from '../../ui/ui';
import { DELIVERY_TONES, type Delivery } from './delivery-tones';

const POLL_MS = 3_000;

/** What was sent, and what the endpoint answered to each attempt. */
export function DeliveryPanel(props: { webhookId: string; deliveryId: string; onClose: () => void }) {
  const t = useTexts(webhooksEn);
  const path = { id: props.webhookId, delivery_id: props.deliveryId };
  const delivery = useQuery({
    queryKey: ['deliveries', props.webhookId, 'one', props.deliveryId],
    queryFn: () => data(api.GET('/v1/webhooks/{id}/deliveries/{delivery_id}', { params: { path } })),
    refetchInterval: ({ state }) => state.data?.status === 'pending' && POLL_MS,
  });
  return (
    <Dialog title={t.webhooks.delivery} isPanel onClose={props.onClose}>
      <QueryResult query={delivery}>{(found) => <Content delivery={found} />}</QueryResult>
    </Dialog>
  );
}

function Content({ delivery }: { delivery: Schemas['DeliveryDetail'] }) {
  const t = useTexts(webhooksEn);
  const { time } = useFormats();
  const { type, timestamp, status, attempts, next_attempt_at: next } = delivery;
  return (
    <div className={styles.stack}>
      <p className={styles.row}>
        <Badge tone={DELIVERY_TONES[status]}>{t.webhooks.status[status]}</Badge>
        {next !== null && <span className={styles.muted}>{t.webhooks.nextAttempt(time(next))}</span>}
      </p>
      <p>
        <code>webhook-id: {delivery.event_id}</code>
      </p>
      <h3>{t.webhooks.body}</h3>
      {type === 'verification.completed' && <p className={styles.muted}>{t.webhooks.noVerdict}</p>}
      <Copy
        text={JSON.stringify({ type, timestamp, data: delivery.data }, null, 2)}
        label={t.webhooks.body}
      />
      <h3>{t.webhooks.attempts}</h3>
      {attempts.length === 0 && <p className={styles.muted}>{t.webhooks.noAttempts}</p>}
      <ol>
        {attempts.map((attempt, index) => (
          // Two attempts may have the same time.
          <li key={index}>
            <Attempt attempt={attempt} />
          </li>
        ))}
      </ol>
    </div>
  );
}

function Attempt({ attempt }: { attempt: Delivery['attempts'][number] }) {
  const t = useTexts(webhooksEn);
  const { time } = useFormats();
  const { status_code: code, error, response_excerpt: excerpt } = attempt;
  return (
    <>
      <p>
        <strong>{code ?? t.webhooks.noAnswer}</strong> · {t.webhooks.took(attempt.duration_ms)} ·{' '}
        {time(attempt.at)}
      </p>
      {error !== null && <p>{t.webhooks.errors[error]}</p>}
      {excerpt !== null && (
        <pre className={styles.wrap}>
          <Untrusted text={excerpt} />
        </pre>
      )}
    </>
  );
}
