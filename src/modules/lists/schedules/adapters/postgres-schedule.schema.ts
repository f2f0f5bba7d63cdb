import { EntitySchema } from 'typeorm';
import { DEFAULT_BOUND, Schedule } from '../domain/schedule.js';

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
    hour: { name: 'at_hour', type: 'smallint' },
    weekday: { type: 'text' },
    dayOfMonth: { name: 'day_of_month', type: 'smallint' },
    source: { type: 'jsonb' },
    createdBy: { name: 'created_by', type: 'text', nullable: true },
    secret: { type: 'text', nullable: true, select: false },
    secretPlace: { name: 'secret_place', type: 'text', nullable: true },
    maxAgeDays: { name: 'max_age_days', type: 'integer' },
    onResult: { name: 'on_result', type: 'text' },
    maxBlocklisted: {
      name: 'max_blocklisted',
      type: 'jsonb',
      default: DEFAULT_BOUND,
    },
    enabled: { type: 'boolean' },
    disabledReason: { name: 'disabled_reason', type: 'text', nullable: true },
    disabledDetail: { name: 'disabled_detail', type: 'text', nullable: true },
    notify: { type: 'text', nullable: true },
    failures: { type: 'integer', default: 0 },
    unrecordedRunId: { name: 'left_run_id', type: 'text', nullable: true },
    nextRunAt: { name: 'next_run_at', type: 'timestamptz' },
    createdAt: { name: 'created_at', type: 'timestamptz' },
  },
});
