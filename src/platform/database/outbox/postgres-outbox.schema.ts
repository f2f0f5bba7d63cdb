import { EntitySchema } from 'typeorm';
import type { EventName } from '../../../kernel/events.js';
import type { TeamId } from '../../../kernel/principal.js';

interface OutboxRow {
  id: string;
  type: EventName;
  teamId: TeamId;
  occurredAt: Date;
  data: unknown;
  attempts: number;
  dueAt: Date;
  /** null: not dispatched yet. */
  dispatchedAt: Date | null;
}

export const OutboxRowSchema = new EntitySchema<OutboxRow>({
  name: 'OutboxRow',
  tableName: 'outbox',
  columns: {
    id: { type: 'text', primary: true },
    type: { type: 'text' },
    teamId: { name: 'team_id', type: 'text' },
    data: { type: 'jsonb' },
    occurredAt: { name: 'occurred_at', type: 'timestamptz' },
    attempts: { type: 'integer', default: 0 },
    dueAt: { name: 'due_at', type: 'timestamptz', default: () => 'now()' },
    dispatchedAt: { name: 'dispatched_at', type: 'timestamptz', nullable: true },
  },
});
