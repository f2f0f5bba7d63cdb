import { EntitySchema } from 'typeorm';
import type { TeamId, UserId } from '../../../../kernel/principal.js';
import type { Rule } from '../domain/rule.js';

export interface PolicyRow {
  teamId: TeamId;
  version: number;
  rules: readonly Rule[];
  updatedAt: Date;
  updatedBy: UserId | null;
}

export const PolicyRowSchema = new EntitySchema<PolicyRow>({
  name: 'PolicyRow',
  tableName: 'policies',
  columns: {
    teamId: { name: 'team_id', type: 'text', primary: true },
    version: { type: 'integer' },
    // Not `jsonb`, which sorts the members.
    rules: { type: 'json' },
    updatedAt: { name: 'updated_at', type: 'timestamptz' },
    updatedBy: { name: 'updated_by', type: 'text', nullable: true },
  },
});
