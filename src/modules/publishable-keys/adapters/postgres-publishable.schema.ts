import { EntitySchema } from 'typeorm';

/** The requests of a client with a publishable key, in its current minute and day. */
interface PublishableRequestsRow {
  keyId: string;
  /** Keyed hash; empty: all clients of the key. */
  client: Buffer;
  day: string;
  inDay: number;
  minute: Date;
  inMinute: number;
}

export const PublishableRequestsRowSchema = new EntitySchema<PublishableRequestsRow>({
  name: 'PublishableRequestsRow',
  tableName: 'publishable_requests',
  columns: {
    keyId: { name: 'key_id', type: 'text', primary: true },
    client: { type: 'bytea', primary: true },
    day: { type: 'date' },
    inDay: { name: 'in_day', type: 'integer', default: 0 },
    minute: { type: 'timestamptz' },
    inMinute: { name: 'in_minute', type: 'integer', default: 0 },
  },
  indices: [{ name: 'publishable_requests_day', columns: ['day'] }],
});

/** An address that was verified with a publishable key; keyed hashes. */
interface PublishableAddressRow {
  /** Of a key and a domain, or of a key, a domain and a client. */
  scope: Buffer;
  address: Buffer;
  requestedAt: Date;
}

export const PublishableAddressRowSchema = new EntitySchema<PublishableAddressRow>({
  name: 'PublishableAddressRow',
  tableName: 'publishable_addresses',
  columns: {
    scope: { type: 'bytea', primary: true },
    address: { type: 'bytea', primary: true },
    requestedAt: { name: 'requested_at', type: 'timestamptz' },
  },
  indices: [{ name: 'publishable_addresses_requested', columns: ['requestedAt'] }],
});
