import { EntitySchema } from 'typeorm';
import { referenceColumn } from '../../../platform/database/reference-column.js';
import type { OutcomeSource } from '../domain/source.js';

/** A provider that sends events; the secret is encrypted under SECRET_KEY. */
export const OutcomeSourceRowSchema = new EntitySchema<OutcomeSource>({
  name: 'OutcomeSourceRow',
  tableName: 'outcome_sources',
  columns: {
    id: { type: 'text', primary: true },
    teamId: referenceColumn('outcome_sources', 'team_id', 'Team'),
    kind: { type: 'text' },
    tokenDigest: { name: 'token_digest', type: 'bytea' },
    secret: { type: 'text', nullable: true },
    createdAt: { name: 'created_at', type: 'timestamptz' },
  },
  uniques: [{ name: 'outcome_sources_token_digest_key', columns: ['tokenDigest'] }],
  indices: [{ name: 'outcome_sources_page', columns: ['teamId', 'createdAt', 'id'] }],
});

/** A text of a request that is accepted once. */
export const UsedTokenRowSchema = new EntitySchema({
  name: 'UsedTokenRow',
  tableName: 'outcome_source_tokens',
  columns: {
    sourceId: { name: 'source_id', type: 'text', primary: true },
    digest: { type: 'bytea', primary: true },
    usedAt: { name: 'used_at', type: 'timestamptz' },
  },
  indices: [{ name: 'outcome_source_tokens_used', columns: ['usedAt'] }],
});
