import { EntitySchema } from 'typeorm';

/** An entry about a mail server that one process has observed and shares with the others. */
export interface SmtpSharedStateRow {
  kind: string;
  key: string;
  value: unknown;
  process: string;
  changedAt: Date;
  expiresAt: Date;
}

export const SmtpSharedStateRowSchema = new EntitySchema<SmtpSharedStateRow>({
  name: 'SmtpSharedStateRow',
  tableName: 'smtp_shared_state',
  columns: {
    kind: { type: 'text', primary: true },
    key: { type: 'text', primary: true },
    value: { type: 'jsonb' },
    process: { type: 'text' },
    changedAt: { name: 'changed_at', type: 'timestamptz' },
    expiresAt: { name: 'expires_at', type: 'timestamptz' },
  },
  indices: [
    { name: 'smtp_shared_state_changed', columns: ['changedAt'] },
    { name: 'smtp_shared_state_expires', columns: ['expiresAt'] },
  ],
});
