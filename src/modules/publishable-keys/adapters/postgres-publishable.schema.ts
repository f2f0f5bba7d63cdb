import { EntitySchema } from 'typeorm';

export const PublishableRequestsRowSchema = new EntitySchema({
  name: 'PublishableRequestsRow',
  tableName: 'publishable_requests',
  columns: {
    keyId: { name: 'key_id', type: 'text', primary: true },
    // A keyed hash; empty: all clients of the key.
    client: { type: 'bytea', primary: true },
    day: { type: 'date' },
    inDay: { name: 'in_day', type: 'integer', default: 0 },
    minute: { type: 'timestamptz' },
    inMinute: { name: 'in_minute', type: 'integer', default: 0 },
  },
  indices: [{ name: 'publishable_requests_day', columns: ['day'] }],
});

/** An address that was verified with a publishable key; keyed hashes. */
export const PublishableAddressRowSchema = new EntitySchema({
  name: 'PublishableAddressRow',
  tableName: 'publishable_addresses',
  columns: {
    // Of a key and a domain, or of a key, a domain and a client.
    scope: { type: 'bytea', primary: true },
    address: { type: 'bytea', primary: true },
    requestedAt: { name: 'requested_at', type: 'timestamptz' },
  },
  indices: [{ name: 'publishable_addresses_requested', columns: ['requestedAt'] }],
});
