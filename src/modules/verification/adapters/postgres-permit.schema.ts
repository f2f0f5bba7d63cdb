import { EntitySchema } from 'typeorm';

/** The connections to one server through one egress. */
export interface SmtpPermitRow {
  egress: string;
  server: string;
  /** Process → its share, as `sync_smtp_permits` writes it. */
  shares: Record<string, object>;
  expiresAt: Date;
}

export const SmtpPermitRowSchema = new EntitySchema<SmtpPermitRow>({
  name: 'SmtpPermitRow',
  tableName: 'smtp_permits',
  columns: {
    egress: { type: 'text', primary: true },
    server: { type: 'text', primary: true },
    shares: { type: 'jsonb', default: {} },
    expiresAt: { name: 'expires_at', type: 'timestamptz', default: () => 'now()' },
  },
  indices: [{ name: 'smtp_permits_expires', columns: ['expiresAt'] }],
});
