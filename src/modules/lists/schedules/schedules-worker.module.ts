import { Module } from '@nestjs/common';
import { Erasures } from '../../../platform/database/erasure/erasures.js';
import { Retention } from '../../../platform/database/erasure/retention.js';
import { Outbox } from '../../../platform/database/outbox/outbox.js';
import { ScheduledTasks } from '../../../platform/time/scheduled-tasks.js';
import { RunConfirmationsService } from './runs/run-confirmations.service.js';
import { ScheduleRunsService } from './schedule-runs.service.js';
import { SchedulesModule } from './schedules.module.js';
import { SchedulesProcessor } from './schedules.processor.js';
import { SECOND_MS } from '../../../kernel/durations.js';

const OLD_RUNS = { table: 'schedule_runs', column: 'created_at', days: 400 };
const OLD_MEMBERS = { table: 'schedule_members', column: 'expires_at' };
const OLD_DOMAINS = { table: 'schedule_domains', column: 'expires_at' };
const OF_SCHEDULE = [
  { table: 'schedule_rows', orderBy: 'schedule_id, run_id, idx' },
  { table: 'schedule_domains', orderBy: 'schedule_id, domain' },
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
    processor: SchedulesProcessor,
    confirmations: RunConfirmationsService,
  ) {
    const deleteOld = () => retention.deleteExpired(OLD_RUNS, OLD_MEMBERS, OLD_DOMAINS);
    tasks.add(
      { name: 'start due schedules', everyMs: 15 * SECOND_MS, run: () => runs.startDue() },
      { name: 'enqueue runs of schedules', everyMs: 5 * SECOND_MS, run: () => processor.enqueueWaiting() },
      {
        name: 'discard runs without an answer',
        everyMs: 60 * SECOND_MS,
        run: () => confirmations.discardUnanswered(),
      },
      { name: 'delete rows of ended runs', everyMs: 60 * SECOND_MS, run: () => runs.deleteRows() },
      { name: 'delete old runs of schedules', everyMs: 600 * SECOND_MS, run: deleteOld },
    );
    erasures.add('sch', (schedule) => retention.deleteBySubject(schedule, ...OF_SCHEDULE));
    for (const status of ENDS)
      outbox.subscribe(`bulk_job.${status}`, ({ data }) => runs.jobEnded(data.job_id, status));
  }
}
