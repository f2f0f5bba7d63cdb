import { EntitySchema } from 'typeorm';
import { DisposableOverride } from '../domain/disposable-override.js';

export const DisposableOverrideSchema = new EntitySchema<DisposableOverride>({
  name: 'DisposableOverride',
  target: DisposableOverride,
  tableName: 'disposable_overrides',
  columns: {
    id: { type: 'text', primary: true },
    teamId: { name: 'team_id', type: 'text', nullable: true },
    domain: { type: 'text' },
    verdict: { type: 'text' },
    note: { type: 'text', nullable: true },
    createdBy: { name: 'created_by', type: 'text', nullable: true },
    createdAt: { name: 'created_at', type: 'timestamptz' },
    mergedAt: { name: 'merged_at', type: 'timestamptz', nullable: true },
    rejectedAt: { name: 'rejected_at', type: 'timestamptz', nullable: true },
    mxHost: { name: 'mx_host', type: 'text', nullable: true },
    timesSeen: { name: 'times_seen', type: 'integer', default: 0 },
    lastSeenAt: { name: 'last_seen_at', type: 'timestamptz', nullable: true },
  },
});
