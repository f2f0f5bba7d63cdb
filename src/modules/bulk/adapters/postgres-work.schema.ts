import { EntitySchema } from 'typeorm';

/** A part of the addresses of a list that is claimed as a unit; deleted when it is completed. */
export interface BulkChunkRow {
  list: string;
  no: number;
  hashFrom: Buffer;
  hashTo: Buffer;
  /** Whole domains, in `DOMAIN_BYTES` each; the range is empty then. Null: the range. */
  domains: Buffer | null;
  /** A provider, or the domain that was divided, in `DOMAIN_BYTES`; null: several domains. */
  servers: Buffer | null;
  attempts: number;
  recorded: number;
  lease: string | null;
  leasedUntil: Date;
}

export const BulkChunkRowSchema = new EntitySchema<BulkChunkRow>({
  name: 'BulkChunkRow',
  tableName: 'bulk_chunks',
  columns: {
    list: { type: 'bigint', primary: true },
    no: { type: 'integer', primary: true },
    hashFrom: { name: 'hash_from', type: 'bytea' },
    hashTo: { name: 'hash_to', type: 'bytea' },
    domains: { type: 'bytea', nullable: true },
    servers: { name: 'domain', type: 'bytea', nullable: true },
    attempts: { type: 'integer', default: 0 },
    recorded: { type: 'integer', default: 0 },
    lease: { type: 'uuid', nullable: true },
    leasedUntil: { name: 'leased_until', type: 'timestamptz', default: () => "'-infinity'" },
  },
  indices: [
    { name: 'bulk_chunks_leased', columns: ['list'], where: 'lease IS NOT NULL' },
    { name: 'bulk_chunks_domain', columns: ['list', 'servers'], where: 'domain IS NOT NULL' },
  ],
});
