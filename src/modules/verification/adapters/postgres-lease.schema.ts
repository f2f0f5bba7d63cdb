import { EntitySchema } from 'typeorm';

/** The connections to one server through one egress. */
export interface SmtpLeaseRow {
  egress: string;
  server: string;
  /** Process → its share, as `sync_smtp_leases` writes it. */
  shares: Record<string, object>;
  expiresAt: Date;
}

export const SmtpLeaseRowSchema = new EntitySchema<SmtpLeaseRow>({
  name: 'SmtpLeaseRow',
  tableName: 'smtp_leases',
  columns: {
    egress: { type: 'text', primary: true },
    server: { type: 'text', primary: true },
    shares: { type: 'jsonb', default: {} },
    expiresAt: { name: 'expires_at', type: 'timestamptz', default: () => 'now()' },
  },
  indices: [{ name: 'smtp_leases_expires', columns: ['expiresAt'] }],
});
