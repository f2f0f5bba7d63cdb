import { useQuery } from '@tanstack/react-query';
import { api, data, type Schemas } from '../../api/client';
import { useFormats, useTexts } from '../../texts/texts';
import { webhooksEn } from '../../texts/webhooks.en';
import { Dialog } from '../../ui/dialog';
import { QueryResult } from '../../ui/query-result';
import { Untrusted } from '../../ui/untrusted';
import { Button, Copy, styles } from '../../ui/ui';
import { DeliveryState, type Delivery } from './delivery-state';
import { pollOf, type FastPoll } from './fast-poll';

/** What was sent, and what the endpoint answered to each attempt. */
export function DeliveryPanel(props: {
  webhookId: string;
  deliveryId: string;
  /** Those of the table, in order. */
  ids: readonly string[];
  fast: FastPoll;
  onAgain: (id: string) => Promise<unknown>;
  onOpen: (id: string) => void;
  onClose: () => void;
}) {
  const { ids, deliveryId, fast, onAgain, onOpen } = props;
  const at = ids.indexOf(deliveryId);
  const [before, after] = [ids[at - 1], ids[at + 1]];
  const t = useTexts(webhooksEn);
  const path = { id: props.webhookId, delivery_id: props.deliveryId };
  const delivery = useQuery({
    queryKey: ['deliveries', props.webhookId, 'one', props.deliveryId],
    queryFn: () => data(api.GET('/v1/webhooks/{id}/deliveries/{delivery_id}', { params: { path } })),
    refetchInterval: ({ state }) => state.data !== undefined && pollOf(fast, [state.data]),
  });
  return (
    <Dialog
      title={t.webhooks.delivery}
      isPanel
      onClose={props.onClose}
      action={
        <>
          <Button
            small
            disabled={before === undefined}
            aria-label={t.webhooks.previousDelivery}
            onClick={() => before !== undefined && onOpen(before)}
          >
            ↑
          </Button>
          <Button
            small
            disabled={after === undefined}
            aria-label={t.webhooks.nextDelivery}
            onClick={() => after !== undefined && onOpen(after)}
          >
            ↓
          </Button>
        </>
      }
    >
      <QueryResult query={delivery}>
        {(found) => <Content delivery={found} onAgain={() => onAgain(deliveryId)} />}
      </QueryResult>
    </Dialog>
  );
}

function Content({
  delivery,
  onAgain,
}: {
  delivery: Schemas['DeliveryDetail'];
  onAgain: () => Promise<unknown>;
}) {
  const t = useTexts(webhooksEn);
  const { exactTime } = useFormats();
  const { id, type, timestamp, attempts, next_attempt_at: next } = delivery;
  const last = attempts.at(-1);
  return (
    <div className={styles.stack}>
      <p className={styles.row}>
        <strong>{type}</strong>
        <DeliveryState delivery={delivery} />
        <Button small onClick={() => void onAgain().catch(() => undefined)}>
          {t.webhooks.redeliver}
        </Button>
      </p>
      {next !== null && <p className={styles.muted}>{t.webhooks.nextAttempt(exactTime(next))}</p>}
      <Copy text={id} label={t.webhooks.id} />
      <h3>{t.webhooks.headers}</h3>
      <Copy text={headersOf(delivery, last)} label={t.webhooks.headers} />
      <p className={styles.muted}>{t.webhooks.signatureHint}</p>
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

/** As they are sent with the latest attempt: its time is that of the signature. */
function headersOf({ event_id: id }: Delivery, attempt: Delivery['attempts'][number] | undefined): string {
  const timestamp = attempt === undefined ? '…' : Math.floor(Date.parse(attempt.at) / 1_000);
  return [
    'content-type: application/json',
    'user-agent: Rcpt-Webhooks/1',
    `webhook-id: ${id}`,
    `webhook-timestamp: ${timestamp}`,
    'webhook-signature: v1,…',
  ].join('\n');
}

function Attempt({ attempt }: { attempt: Delivery['attempts'][number] }) {
  const t = useTexts(webhooksEn);
  const { exactTime } = useFormats();
  const { status_code: code, error, response_excerpt: excerpt } = attempt;
  return (
    <>
      <p>
        <strong>{code ?? t.webhooks.noAnswer}</strong> · {t.webhooks.took(attempt.duration_ms)} ·{' '}
        {exactTime(attempt.at)}
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
