import type { Schemas } from '../../api/client';
import { useFormats, useTexts } from '../../texts/texts';
import { webhooksEn } from '../../texts/webhooks.en';
import { Badge, type Tone } from '../../ui/ui';

export type Delivery = Schemas['Delivery'];

const TONES: Record<Delivery['status'], Tone> = {
  pending: 'accent',
  succeeded: 'deliverable',
  failed: 'undeliverable',
};

/** A delivery whose last attempt has failed is not only pending. */
export function DeliveryState({ delivery }: { delivery: Delivery }) {
  const t = useTexts(webhooksEn);
  const { status, attempts, next_attempt_at: next } = delivery;
  const last = attempts.at(-1);
  const failures = last === undefined || last.error === null ? 0 : attempts.length;
  if (status !== 'pending' || failures === 0 || next === null)
    return <Badge tone={TONES[status]}>{t.webhooks.status[status]}</Badge>;
  const seconds = Math.max(1, Math.round((Date.parse(next) - Date.now()) / 1_000));
  return <Badge tone="risky">{t.webhooks.retrying(failures, t.verify.age(seconds))}</Badge>;
}

/** Whether the endpoint takes what is sent to it. */
export function WebhookState({ webhook }: { webhook: Schemas['WebhookWithDeliveries'] }) {
  const t = useTexts(webhooksEn);
  const { enabled, disabled_reason: reason, recent } = webhook;
  const hasFailed = recent.failed + recent.retrying > 0;
  if (!enabled)
    return (
      <Badge tone="risky">
        {t.webhooks.disabled}
        {reason !== null && `: ${t.webhooks.why[reason]}`}
      </Badge>
    );
  if (!hasFailed) return <Badge tone="deliverable">{t.webhooks.enabled}</Badge>;
  return recent.succeeded === 0 ? (
    <Badge tone="undeliverable">{t.webhooks.failing}</Badge>
  ) : (
    <Badge tone="risky">{t.webhooks.someFail}</Badge>
  );
}

/** The share of the latest deliveries that have failed. */
export function FailureRate({ recent }: Pick<Schemas['WebhookWithDeliveries'], 'recent'>) {
  const t = useTexts(webhooksEn);
  const { number, percent } = useFormats();
  const failed = recent.failed + recent.retrying;
  const all = failed + recent.succeeded;
  if (failed === 0) return <>{t.webhooks.noFailures}</>;
  return <>{`${t.webhooks.failureRate(percent(failed, all))} ${number(all)}`}</>;
}
