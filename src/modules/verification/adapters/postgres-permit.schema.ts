import { EntitySchema } from 'typeorm';

/** The connections to one provider through one egress. */
export const SmtpPermitRowSchema = new EntitySchema({
  name: 'SmtpPermitRow',
  tableName: 'smtp_permits',
  columns: {
    egress: { type: 'text', primary: true },
    provider: { type: 'text', primary: true },
    // Of the processes (`engine/limits/grant.ts`).
    shares: { type: 'jsonb', default: [] },
    expiresAt: { name: 'expires_at', type: 'timestamptz', default: () => 'now()' },
  },
  indices: [{ name: 'smtp_permits_expires', columns: ['expiresAt'] }],
});

/** An entry about a mail server that one process has observed and shares with the others. */
export const SmtpSharedStateRowSchema = new EntitySchema({
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
