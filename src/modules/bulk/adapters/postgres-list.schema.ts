import { EntitySchema } from 'typeorm';

/** A row of a list; rows with the same address have the same result. */
export const BulkRowSchema = new EntitySchema({
  name: 'BulkRow',
  tableName: 'bulk_rows',
  columns: {
    listId: { name: 'list', type: 'bigint', primary: true },
    idx: { type: 'integer', primary: true },
    // Eight bytes of the list, four of the keyed hash of the domain, then the keyed hash of the address; null: none.
    address: { type: 'bytea', nullable: true },
    email: { type: 'text' },
    ref: { type: 'text', nullable: true },
    // The address as it was sent, in JSON, if `text` cannot store it; null: as in `email`.
    sent: { type: 'text', nullable: true },
  },
  indices: [{ name: 'bulk_rows_address', columns: ['address'] }],
});

/** The verdict of an address of a list. */
export const BulkResultRowSchema = new EntitySchema({
  name: 'BulkResultRow',
  tableName: 'bulk_results',
  columns: {
    // As in `bulk_rows`.
    address: { type: 'bytea', primary: true },
    reason: { type: 'text' },
    // Whether the network was queried.
    probed: { type: 'boolean' },
    verdict: { type: 'json' },
  },
});

/** The rows of a list by the reason of their verdict. */
export const BulkRowReasonRowSchema = new EntitySchema({
  name: 'BulkRowReasonRow',
  tableName: 'bulk_row_reasons',
  columns: {
    listId: { name: 'list', type: 'bigint', primary: true },
    // In the order of the primary key.
    reason: { type: 'text', primary: true, collation: 'C' },
    idx: { type: 'integer', primary: true },
  },
});

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
