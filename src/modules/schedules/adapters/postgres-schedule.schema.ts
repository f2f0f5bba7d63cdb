import { EntitySchema } from 'typeorm';
import { Schedule } from '../domain/schedule.js';

/** A schedule as it is stored; `secret` is encrypted under SECRET_KEY. */
export interface ScheduleRow extends Schedule {
  secret: string | null;
}

export const ScheduleSchema = new EntitySchema<ScheduleRow>({
  name: 'Schedule',
  target: Schedule,
  tableName: 'schedules',
  columns: {
    id: { type: 'text', primary: true },
    teamId: { name: 'team_id', type: 'text' },
    name: { type: 'text' },
    every: { type: 'text' },
    atHour: { name: 'at_hour', type: 'smallint' },
    source: { type: 'jsonb' },
    secret: { type: 'text', nullable: true, select: false },
    maxAgeDays: { name: 'max_age_days', type: 'integer' },
    onResult: { name: 'on_result', type: 'text' },
    enabled: { type: 'boolean' },
    disabledReason: { name: 'disabled_reason', type: 'text', nullable: true },
    failures: { type: 'integer', default: 0 },
    leftRunId: { name: 'left_run_id', type: 'text', nullable: true },
    nextRunAt: { name: 'next_run_at', type: 'timestamptz' },
    createdAt: { name: 'created_at', type: 'timestamptz' },
  },
});
