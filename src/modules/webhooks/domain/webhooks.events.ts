import type { EventOf } from '../../../kernel/events.js';
import type { Mode } from '../../../kernel/principal.js';
import type { Webhook } from './webhook.js';

declare module '../../../kernel/events.js' {
  interface EventPayloads {
    'webhook.disabled': WebhookPayload & { reason: string | null };
    'webhook.test': WebhookPayload;
  }
}

type WebhookPayload = { webhook_id: string; mode: Mode };

/** The webhook was disabled; sent to the team's other webhooks of its mode. */
export function webhookDisabled({ id, teamId, mode, disabledReason }: Webhook): EventOf<'webhook.disabled'> {
  return { type: 'webhook.disabled', teamId, data: { webhook_id: id, mode, reason: disabledReason } };
}

/** A test event; sent to this webhook only. */
export function webhookTest({ id, teamId, mode }: Webhook): EventOf<'webhook.test'> {
  return { type: 'webhook.test', teamId, data: { webhook_id: id, mode } };
}
