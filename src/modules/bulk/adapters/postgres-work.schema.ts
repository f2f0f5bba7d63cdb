import { EntitySchema } from 'typeorm';

/** A part of the addresses of a list that is claimed as a unit; deleted when it is completed. */
export const BulkChunkRowSchema = new EntitySchema({
  name: 'BulkChunkRow',
  tableName: 'bulk_chunks',
  columns: {
    listId: { name: 'list', type: 'bigint', primary: true },
    no: { type: 'integer', primary: true },
    hashFrom: { name: 'hash_from', type: 'bytea' },
    hashTo: { name: 'hash_to', type: 'bytea' },
    // Whole domains, in `DOMAIN_BYTES` each; the range is empty then. Null: the range.
    domains: { type: 'bytea', nullable: true },
    // A provider, or the domain that was divided, in `DOMAIN_BYTES`; null: several domains.
    servers: { name: 'domain', type: 'bytea', nullable: true },
    attempts: { type: 'integer', default: 0 },
    recorded: { type: 'integer', default: 0 },
    lease: { type: 'uuid', nullable: true },
    leasedUntil: { name: 'leased_until', type: 'timestamptz', default: () => "'-infinity'" },
  },
  indices: [
    { name: 'bulk_chunks_leased', columns: ['listId'], where: 'lease IS NOT NULL' },
    { name: 'bulk_chunks_domain', columns: ['listId', 'servers'], where: 'domain IS NOT NULL' },
  ],
});
