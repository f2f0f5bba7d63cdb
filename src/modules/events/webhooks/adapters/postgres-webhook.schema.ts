import { EntitySchema } from 'typeorm';
import { Webhook } from '../domain/webhook.js';

export const WebhookSchema = new EntitySchema<Webhook>({
  name: 'Webhook',
  target: Webhook,
  tableName: 'webhooks',
  columns: {
    id: { type: 'text', primary: true },
    teamId: { name: 'team_id', type: 'text' },
    mode: { type: 'text' },
    url: { type: 'text' },
    events: { type: 'jsonb', nullable: true },
    description: { type: 'text', nullable: true },
    disabledReason: { name: 'disabled_reason', type: 'text', nullable: true },
    secrets: { type: 'jsonb' },
    createdAt: { name: 'created_at', type: 'timestamptz' },
    hasSucceeded: { name: 'has_succeeded', type: 'boolean', default: false },
    failingSince: { name: 'failing_since', type: 'timestamptz', nullable: true },
  },
});
