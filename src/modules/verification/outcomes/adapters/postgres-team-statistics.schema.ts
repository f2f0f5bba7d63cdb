import { EntitySchema } from 'typeorm';

/** A verdict of a team that reports outcomes, by the keyed hash of the address. */
export const OutcomeVerdictRowSchema = new EntitySchema({
  name: 'OutcomeVerdictRow',
  tableName: 'outcome_verdicts',
  columns: {
    teamId: { name: 'team_id', type: 'text', primary: true },
    addressHash: { name: 'address_hash', type: 'bytea', primary: true },
    day: { type: 'date', primary: true },
    verifiedAt: { name: 'verified_at', type: 'timestamptz' },
    reason: { type: 'text' },
    factsReason: { name: 'facts_reason', type: 'text', nullable: true },
    host: { type: 'text', nullable: true },
    provider: { type: 'text', nullable: true },
    isAccepted: { name: 'is_accepted', type: 'boolean' },
    estimate: { type: 'real', nullable: true },
  },
});
