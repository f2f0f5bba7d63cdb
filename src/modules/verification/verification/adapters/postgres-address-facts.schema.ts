import { EntitySchema } from 'typeorm';

/** The facts of a team about an address, which is stored as its keyed hash. */
export const AddressFactsRowSchema = new EntitySchema({
  name: 'AddressFactsRow',
  tableName: 'address_facts',
  columns: {
    teamId: { name: 'team_id', type: 'text', primary: true },
    addressHash: { name: 'address_hash', type: 'bytea', primary: true },
    facts: { type: 'jsonb' },
    observedAt: { name: 'observed_at', type: 'timestamptz' },
    expiresAt: { name: 'expires_at', type: 'timestamptz' },
  },
});
