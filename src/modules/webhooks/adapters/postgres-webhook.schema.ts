import { EntitySchema } from 'typeorm';
import { referenceColumn } from '../../../platform/database/reference-column.js';
import { Webhook } from '../domain/webhook.js';

export const WebhookSchema = new EntitySchema<Webhook>({
  name: 'Webhook',
  target: Webhook,
  tableName: 'webhooks',
  columns: {
    id: { type: 'text', primary: true },
    teamId: referenceColumn('webhooks', 'team_id', 'Team'),
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
  checks: [
    { name: 'webhooks_disabled_reason_check', expression: `disabled_reason IN ('owner', 'gone', 'failing')` },
    { name: 'webhooks_mode_check', expression: `mode IN ('live', 'test')` },
  ],
  indices: [{ name: 'webhooks_page', columns: ['teamId', 'createdAt', 'id'] }],
});
