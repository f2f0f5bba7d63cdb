import { EntitySchema } from 'typeorm';
import { BulkJob } from '../domain/bulk-job.js';

export const BulkJobSchema = new EntitySchema<BulkJob>({
  name: 'BulkJob',
  target: BulkJob,
  tableName: 'bulk_jobs',
  columns: {
    id: { type: 'text', primary: true },
    // The database's to give.
    list: { type: 'bigint', insert: false, update: false },
    teamId: { name: 'team_id', type: 'text' },
    mode: { type: 'text' },
    state: { type: 'text' },
    name: { type: 'text', nullable: true },
    refresh: { type: 'boolean' },
    columns: { type: 'json', nullable: true },
    charge: { type: 'jsonb', nullable: true },
    total: { type: 'integer' },
    addresses: { type: 'integer' },
    processed: { type: 'integer' },
    answered: { type: 'integer' },
    charged: { type: 'integer' },
    // Counted where the rows are recorded.
    indexed: { type: 'integer', insert: false, update: false },
    byReason: { name: 'by_reason', type: 'jsonb' },
    chunksLeft: { name: 'chunks_left', type: 'integer' },
    deferredLeft: { name: 'deferred_left', type: 'integer' },
    failure: { type: 'text', nullable: true },
    retentionDays: { name: 'retention_days', type: 'integer' },
    createdAt: { name: 'created_at', type: 'timestamptz' },
    touchedAt: { name: 'touched_at', type: 'timestamptz' },
    startedAt: { name: 'started_at', type: 'timestamptz', nullable: true },
    finishedAt: { name: 'finished_at', type: 'timestamptz', nullable: true },
  },
});
