import { EntitySchema } from 'typeorm';
import type { Delivery } from '../domain/delivery.js';
import type { WebhookId } from '../domain/webhook.js';

/** An event that is to be sent to a webhook, and the attempts so far. */
interface DeliveryRow extends Delivery {
  webhookId: WebhookId;
  tries: number;
  lease: string | null;
  /** `-infinity` is read as the number. */
  leasedUntil: Date | number;
}

export const DeliveryRowSchema = new EntitySchema<DeliveryRow>({
  name: 'DeliveryRow',
  tableName: 'webhook_deliveries',
  columns: {
    id: { type: 'text', primary: true },
    webhookId: { name: 'webhook_id', type: 'text' },
    eventId: { name: 'event_id', type: 'text' },
    type: { type: 'text' },
    data: { type: 'jsonb' },
    occurredAt: { name: 'occurred_at', type: 'timestamptz' },
    createdAt: { name: 'created_at', type: 'timestamptz' },
    status: { type: 'text' },
    attempts: { type: 'jsonb', default: [] },
    tries: { type: 'integer', default: 0 },
    dueAt: { name: 'due_at', type: 'timestamptz', nullable: true },
    lease: { type: 'uuid', nullable: true },
    leasedUntil: { name: 'leased_until', type: 'timestamptz', default: '-infinity' },
  },
});
