import { EntitySchema } from 'typeorm';
import { ScheduleRun } from '../domain/schedule-run.js';

/** A run as it is stored, with the claim of a process. */
export interface ScheduleRunRow extends ScheduleRun {
  lease: string | null;
  leasedUntil: Date;
}

export const ScheduleRunSchema = new EntitySchema<ScheduleRunRow>({
  name: 'ScheduleRun',
  target: ScheduleRun,
  tableName: 'schedule_runs',
  columns: {
    id: { type: 'text', primary: true },
    scheduleId: { name: 'schedule_id', type: 'text' },
    teamId: { name: 'team_id', type: 'text' },
    state: { type: 'text' },
    jobId: { name: 'job_id', type: 'text', nullable: true },
    rows: { type: 'integer', default: 0 },
    unchanged: { type: 'integer', default: 0 },
    verified: { type: 'integer', default: 0 },
    added: { name: 'new', type: 'integer', default: 0 },
    changed: { type: 'jsonb', default: {} },
    notWritten: { name: 'not_written', type: 'integer', default: 0 },
    position: { type: 'integer', default: -1 },
    attempts: { type: 'integer', default: 0 },
    failure: { type: 'text', nullable: true },
    createdAt: { name: 'created_at', type: 'timestamptz' },
    startedAt: { name: 'started_at', type: 'timestamptz', nullable: true },
    finishedAt: { name: 'finished_at', type: 'timestamptz', nullable: true },
    lease: { type: 'uuid', nullable: true, select: false },
    leasedUntil: { name: 'leased_until', type: 'timestamptz', default: '-infinity', select: false },
  },
});
