import type { Mode } from '../../../../kernel/principal.js';

declare module '../../../../kernel/events.js' {
  interface EventPayloads {
    /** Sent to the team's other webhooks of its mode. */
    'webhook.disabled': WebhookPayload & { reason: string | null };
    /** Sent to this webhook only. */
    'webhook.test': WebhookPayload;
  }
}

type WebhookPayload = { webhook_id: string; mode: Mode };
