import { EntitySchema } from 'typeorm';

/** A row of a list; rows with the same address have the same result. */
export const BulkRowSchema = new EntitySchema({
  name: 'BulkRow',
  tableName: 'bulk_rows',
  columns: {
    listId: { name: 'list', type: 'bigint', primary: true },
    idx: { type: 'integer', primary: true },
    // Eight bytes of the list, four of the keyed hash of the domain, then the keyed hash of the address.
    address: { type: 'bytea' },
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
