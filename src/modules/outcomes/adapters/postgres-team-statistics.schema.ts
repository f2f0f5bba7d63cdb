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
  indices: [{ name: 'outcome_verdicts_day', columns: ['day'] }],
});

/** What the outcomes of a team show. */
export const OutcomeStatisticsRowSchema = new EntitySchema({
  name: 'OutcomeStatisticsRow',
  tableName: 'outcome_statistics',
  columns: {
    teamId: { name: 'team_id', type: 'text', primary: true },
    changedAt: { name: 'changed_at', type: 'timestamptz' },
    learnedAt: { name: 'learned_at', type: 'timestamptz', nullable: true },
    statistics: { type: 'jsonb', nullable: true },
  },
  indices: [{ name: 'outcome_statistics_learned', columns: ['learnedAt'] }],
});

/** How many addresses servers accepted in a day, by the keyed hashes of host and domain. */
export const OutcomeAcceptedRowSchema = new EntitySchema({
  name: 'OutcomeAcceptedRow',
  tableName: 'outcome_accepted',
  columns: {
    teamId: { name: 'team_id', type: 'text', primary: true },
    host: { type: 'bytea', primary: true },
    name: { type: 'bytea', primary: true },
    day: { type: 'date', primary: true },
    addresses: { type: 'integer' },
    since: { type: 'timestamptz' },
  },
  indices: [{ name: 'outcome_accepted_day', columns: ['day'] }],
});

/** A host or domain that, by the outcomes of a team, returns mail that its servers accepted. */
export const OutcomeHostRowSchema = new EntitySchema({
  name: 'OutcomeHostRow',
  tableName: 'outcome_hosts',
  columns: {
    host: { type: 'text', primary: true },
    teamId: { name: 'team_id', type: 'text', primary: true },
  },
  indices: [{ name: 'outcome_hosts_team', columns: ['teamId'] }],
});
