import { EntitySchema } from 'typeorm';

/** A range of the address keys of a list that is claimed as a unit; deleted when it is completed. */
export interface BulkChunkRow {
  list: string;
  no: number;
  hashFrom: Buffer;
  hashTo: Buffer;
  /** The domain that was divided, in `DOMAIN_BYTES`; null: several whole domains. */
  domain: Buffer | null;
  attempts: number;
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
    domain: { type: 'bytea', nullable: true },
    attempts: { type: 'integer', default: 0 },
    lease: { type: 'uuid', nullable: true },
    leasedUntil: { name: 'leased_until', type: 'timestamptz', default: () => 'now()' },
  },
  indices: [
    { name: 'bulk_chunks_leased', columns: ['list'], where: 'lease IS NOT NULL' },
    { name: 'bulk_chunks_domain', columns: ['list', 'domain'], where: 'domain IS NOT NULL' },
  ],
});

/** When a team last had a chunk claimed. */
export interface BulkTeamRow {
  teamId: string;
  servedAt: Date;
}

export const BulkTeamRowSchema = new EntitySchema<BulkTeamRow>({
  name: 'BulkTeamRow',
  tableName: 'bulk_teams',
  columns: {
    teamId: { name: 'team_id', type: 'text', primary: true },
    servedAt: { name: 'served_at', type: 'timestamptz' },
  },
});
