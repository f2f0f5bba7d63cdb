import { EntitySchema } from 'typeorm';
import { referenceColumn } from '../../../platform/database/reference-column.js';
import { DisposableOverride } from '../domain/disposable-override.js';

export const DisposableOverrideSchema = new EntitySchema<DisposableOverride>({
  name: 'DisposableOverride',
  target: DisposableOverride,
  tableName: 'disposable_overrides',
  columns: {
    id: { type: 'text', primary: true },
    teamId: referenceColumn('disposable_overrides', 'team_id', 'Team', { nullable: true }),
    domain: { type: 'text' },
    verdict: { type: 'text' },
    note: { type: 'text', nullable: true },
    createdBy: referenceColumn('disposable_overrides', 'created_by', 'User', {
      nullable: true,
      onDelete: 'SET NULL',
    }),
    createdAt: { name: 'created_at', type: 'timestamptz' },
    mergedAt: { name: 'merged_at', type: 'timestamptz', nullable: true },
    rejectedAt: { name: 'rejected_at', type: 'timestamptz', nullable: true },
    mxHost: { name: 'mx_host', type: 'text', nullable: true },
    timesSeen: { name: 'times_seen', type: 'integer', default: 0 },
    lastSeenAt: { name: 'last_seen_at', type: 'timestamptz', nullable: true },
  },
  uniques: [{ name: 'disposable_overrides_team_id_domain_key', columns: ['teamId', 'domain'] }],
  checks: [
    { name: 'disposable_overrides_verdict_check', expression: `verdict IN ('disposable', 'not_disposable')` },
  ],
  indices: [
    { name: 'disposable_overrides_creator', columns: ['createdBy'] },
    { name: 'disposable_overrides_operator', columns: ['domain'], unique: true, where: 'team_id IS NULL' },
    { name: 'disposable_overrides_page', columns: ['teamId', 'createdAt', 'id'] },
    { name: 'disposable_overrides_pending', columns: ['createdAt', 'id'], where: 'merged_at IS NULL' },
  ],
});
