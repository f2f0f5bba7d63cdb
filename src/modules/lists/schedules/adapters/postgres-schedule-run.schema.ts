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
    new: { type: 'integer', default: 0 },
    changed: { type: 'jsonb', default: {} },
    written: { type: 'integer', default: 0 },
    notWritten: { name: 'not_written', type: 'integer', default: 0 },
    postponed: { type: 'integer', default: 0 },
    place: { type: 'jsonb', nullable: true },
    isLong: { name: 'is_long', type: 'boolean', default: false },
    isStopped: { name: 'is_stopped', type: 'boolean', default: false },
    hasRows: { name: 'has_rows', type: 'boolean', default: false },
    isRecorded: { name: 'is_recorded', type: 'boolean', default: false },
    permit: { type: 'text', nullable: true },
    confirmation: { type: 'jsonb', nullable: true },
    confirmBy: { name: 'confirm_by', type: 'timestamptz', nullable: true },
    position: { type: 'integer', default: -1 },
    attempts: { type: 'integer', default: 0 },
    failure: { type: 'text', nullable: true },
    failureDetail: { name: 'failure_detail', type: 'text', nullable: true },
    createdAt: { name: 'created_at', type: 'timestamptz' },
    startedAt: { name: 'started_at', type: 'timestamptz', nullable: true },
    finishedAt: { name: 'finished_at', type: 'timestamptz', nullable: true },
    lease: { type: 'uuid', nullable: true, select: false },
    leasedUntil: { name: 'leased_until', type: 'timestamptz', default: '-infinity', select: false },
  },
});
