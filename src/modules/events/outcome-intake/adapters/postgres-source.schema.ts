import { EntitySchema } from 'typeorm';
import type { OutcomeSource } from '../domain/sources/source.js';

/** A provider that sends events; the secret is encrypted under SECRET_KEY. */
export const OutcomeSourceRowSchema = new EntitySchema<OutcomeSource>({
  name: 'OutcomeSourceRow',
  tableName: 'outcome_sources',
  columns: {
    id: { type: 'text', primary: true },
    teamId: { name: 'team_id', type: 'text' },
    kind: { type: 'text' },
    tokenDigest: { name: 'token_digest', type: 'bytea' },
    secret: { type: 'text', nullable: true },
    createdAt: { name: 'created_at', type: 'timestamptz' },
    tellsArrivals: { name: 'tells_arrivals', type: 'boolean', default: false },
  },
});
