import { EntitySchema } from 'typeorm';

/** The probes of an egress at a provider on its latest day. */
export interface EgressWarmupRow {
  egress: string;
  provider: string;
  /** UTC, as in `2026-11-22`. */
  day: string;
  /** null: the egress has no ceiling any more. */
  ceiling: number | null;
  used: number;
}

export const EgressWarmupRowSchema = new EntitySchema<EgressWarmupRow>({
  name: 'EgressWarmupRow',
  tableName: 'egress_warmup',
  columns: {
    egress: { type: 'text', primary: true },
    provider: { type: 'text', primary: true },
    day: { type: 'date' },
    ceiling: { type: 'integer', nullable: true },
    used: { type: 'integer' },
  },
});

/** The probes of one team on the day in `EgressWarmupRow`. */
export interface EgressWarmupTeamRow {
  egress: string;
  provider: string;
  teamId: string;
  used: number;
  rejected: number;
}

export const EgressWarmupTeamRowSchema = new EntitySchema<EgressWarmupTeamRow>({
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
