import { EntitySchema } from 'typeorm';
import type { StoredAuditEntry } from '../../../kernel/audit-log.js';

/** A trigger keeps the table append-only. */
export interface AuditLogRow extends Omit<StoredAuditEntry, 'target' | 'actor'> {
  /** The order of entries; not shown, because it counts those of all teams. */
  seq: string;
  targetType: string;
  targetId: string;
  actorUserId: string | null;
  actorKeyId: string | null;
  ip: string | null;
}

export const AuditLogRowSchema = new EntitySchema<AuditLogRow>({
  name: 'AuditLogRow',
  tableName: 'audit_log',
  columns: {
    seq: { type: 'bigint', primary: true, generated: 'increment' },
    id: { type: 'text' },
    at: { type: 'timestamptz' },
    action: { type: 'text' },
    teamId: { name: 'team_id', type: 'text' },
    targetType: { name: 'target_type', type: 'text' },
    targetId: { name: 'target_id', type: 'text' },
    details: { type: 'jsonb' },
    actorUserId: { name: 'actor_user_id', type: 'text', nullable: true },
    actorKeyId: { name: 'actor_key_id', type: 'text', nullable: true },
    ip: { type: 'text', nullable: true },
    requestId: { name: 'request_id', type: 'text', nullable: true },
  },
});
