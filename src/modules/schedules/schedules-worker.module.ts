import { Module } from '@nestjs/common';
import { Erasures } from '../../platform/database/erasure/erasures.js';
import { Retention } from '../../platform/database/erasure/retention.js';
import { Outbox } from '../../platform/database/outbox/outbox.js';
import { ScheduledTasks } from '../../platform/time/scheduled-tasks.js';
import { ScheduleRunsService } from './schedule-runs.service.js';
import { SchedulesModule } from './schedules.module.js';
import { SchedulesProcessor } from './schedules.processor.js';

const SECOND_MS = 1_000;
const OLD_RUNS = { table: 'schedule_runs', column: 'created_at', days: 400 };
const OLD_MEMBERS = { table: 'schedule_members', column: 'expires_at' };
const OF_SCHEDULE = [
  { table: 'schedule_runs', orderBy: 'schedule_id, created_at DESC, id DESC' },
  { table: 'schedule_members', orderBy: 'schedule_id, address_key' },
];
const ENDS = ['completed', 'failed', 'canceled'] as const;

@Module({ imports: [SchedulesModule], providers: [SchedulesProcessor] })
export class SchedulesWorkerModule {
  constructor(
    tasks: ScheduledTasks,
    outbox: Outbox,
    erasures: Erasures,
    retention: Retention,
    runs: ScheduleRunsService,
  ) {
    const deleteOld = () => retention.deleteExpired(OLD_RUNS, OLD_MEMBERS);
    tasks.add(
      { name: 'start due schedules', everyMs: 15 * SECOND_MS, run: () => runs.startDue() },
      { name: 'enqueue runs of schedules', everyMs: 5 * SECOND_MS, run: () => runs.enqueueMissing() },
      { name: 'delete old runs of schedules', everyMs: 600 * SECOND_MS, run: deleteOld },
    );
    erasures.add('sch', (schedule) => retention.deleteBySubject(schedule, ...OF_SCHEDULE));
    for (const status of ENDS)
      outbox.subscribe(`bulk_job.${status}`, ({ data }) => runs.jobEnded(data.job_id, status));
  }
}
