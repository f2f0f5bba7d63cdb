import { EntitySchema } from 'typeorm';

/** The probes of an egress at a provider on its latest day. */
export const EgressWarmupRowSchema = new EntitySchema({
  name: 'EgressWarmupRow',
  tableName: 'egress_warmup',
  columns: {
    egress: { type: 'text', primary: true },
    provider: { type: 'text', primary: true },
    // UTC.
    day: { type: 'date' },
    // null: the egress has no ceiling any more.
    ceiling: { type: 'integer', nullable: true },
    used: { type: 'integer' },
  },
});

/** The probes of one team on the day in `EgressWarmupRow`. */
export const EgressWarmupTeamRowSchema = new EntitySchema({
  name: 'EgressWarmupTeamRow',
  tableName: 'egress_warmup_teams',
  columns: {
    egress: { type: 'text', primary: true },
    provider: { type: 'text', primary: true },
    teamId: { name: 'team_id', type: 'text', primary: true },
    used: { type: 'integer' },
    rejected: { type: 'integer' },
  },
});
