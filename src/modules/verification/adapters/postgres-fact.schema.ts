import { EntitySchema } from 'typeorm';

/** A fact about a mail server that one process has observed and shares with the others. */
export interface SmtpFactRow {
  kind: string;
  key: string;
  value: unknown;
  process: string;
  changedAt: Date;
  expiresAt: Date;
}

export const SmtpFactRowSchema = new EntitySchema<SmtpFactRow>({
  name: 'SmtpFactRow',
  tableName: 'smtp_facts',
  columns: {
    kind: { type: 'text', primary: true },
    key: { type: 'text', primary: true },
    value: { type: 'jsonb' },
    process: { type: 'text' },
    changedAt: { name: 'changed_at', type: 'timestamptz' },
    expiresAt: { name: 'expires_at', type: 'timestamptz' },
  },
  indices: [
    { name: 'smtp_facts_changed', columns: ['changedAt'] },
    { name: 'smtp_facts_expires', columns: ['expiresAt'] },
  ],
});
