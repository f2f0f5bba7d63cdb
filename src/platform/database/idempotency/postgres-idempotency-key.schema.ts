import { EntitySchema } from 'typeorm';
import type { Mode } from '../../../kernel/principal.js';

/** A request with an `Idempotency-Key`, and its encrypted response. */
interface IdempotencyKeyRow {
  teamId: string;
  mode: Mode;
  keyDigest: Buffer;
  /** null: the request body is still being received. */
  fingerprint: Buffer | null;
  /** Token of the request that holds the lease. */
  holder: string;
  leasedUntil: Date;
  status: number | null;
  response: string | null;
  createdAt: Date;
}

export const IdempotencyKeyRowSchema = new EntitySchema<IdempotencyKeyRow>({
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
  checks: [
    { name: 'idempotency_keys_check', expression: '(status IS NULL) = (response IS NULL)' },
    { name: 'idempotency_keys_mode_check', expression: `mode IN ('live', 'test')` },
  ],
  indices: [{ name: 'idempotency_keys_age', columns: ['createdAt'] }],
});
