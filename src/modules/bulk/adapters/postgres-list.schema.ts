import { EntitySchema } from 'typeorm';

/** A row of a list; rows with the same address have the same result. */
export interface BulkRow {
  list: string;
  idx: number;
  /**
   * Eight bytes of the list, four of the keyed hash of the domain, then the keyed hash of the address.
   */
  address: Buffer;
  email: string;
  ref: string | null;
  /** The address as it was sent, in JSON, if `text` cannot store it; null: as in `email`. */
  sent: string | null;
}

export const BulkRowSchema = new EntitySchema<BulkRow>({
  name: 'BulkRow',
  tableName: 'bulk_rows',
  columns: {
    list: { type: 'bigint', primary: true },
    idx: { type: 'integer', primary: true },
    address: { type: 'bytea' },
    email: { type: 'text' },
    ref: { type: 'text', nullable: true },
    sent: { type: 'text', nullable: true },
  },
  indices: [{ name: 'bulk_rows_address', columns: ['address'] }],
});

/** The verdict of an address of a list. */
export interface BulkResultRow {
  /** As in `BulkRow`. */
  address: Buffer;
  reason: string;
  /** Whether the network was queried. */
  probed: boolean;
  verdict: unknown;
}

export const BulkResultRowSchema = new EntitySchema<BulkResultRow>({
  name: 'BulkResultRow',
  tableName: 'bulk_results',
  columns: {
    address: { type: 'bytea', primary: true },
    reason: { type: 'text' },
    probed: { type: 'boolean' },
    verdict: { type: 'json' },
  },
});

/** The rows of a list by the reason of their verdict. */
export interface BulkRowReasonRow {
  list: string;
  idx: number;
  reason: string;
}

export const BulkRowReasonRowSchema = new EntitySchema<BulkRowReasonRow>({
  name: 'BulkRowReasonRow',
  tableName: 'bulk_row_reasons',
  columns: {
    list: { type: 'bigint', primary: true },
    // In the order of the primary key.
    reason: { type: 'text', primary: true, collation: 'C' },
    idx: { type: 'integer', primary: true },
  },
});
