import type { DomainEvent } from '../../../kernel/domain-event.js';
import type { Webhook } from './webhook.js';

/** Nothing is sent to it any more; told to the team's others of its mode. */
export function webhookDisabled({ id, teamId, mode, disabledReason }: Webhook): DomainEvent {
  return { type: 'webhook.disabled', teamId, data: { webhook_id: id, mode, reason: disabledReason } };
}

/** Somebody wants to see one arrive; told to this webhook alone. */
export function webhookTest({ id, teamId, mode }: Webhook): DomainEvent {
  return { type: 'webhook.test', teamId, data: { webhook_id: id, mode } };
}
