import { EntitySchema } from 'typeorm';

/** A request with an `Idempotency-Key`, and its encrypted response. Only SQL reads and writes it. */
export const IdempotencyKeyRowSchema = new EntitySchema({
  name: 'IdempotencyKeyRow',
  tableName: 'idempotency_keys',
  columns: {
    teamId: { name: 'team_id', type: 'text', primary: true },
    mode: { type: 'text', primary: true },
    keyDigest: { name: 'key_digest', type: 'bytea', primary: true },
    fingerprint: { type: 'bytea', nullable: true },
    holder: { type: 'text' },
    leasedUntil: { name: 'leased_until', type: 'timestamptz' },
    status: { type: 'smallint', nullable: true },
    response: { type: 'text', nullable: true },
    createdAt: { name: 'created_at', type: 'timestamptz', default: () => 'now()' },
  },
});
