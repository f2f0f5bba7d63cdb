import { Processor } from '@nestjs/bullmq';
import { Clock } from '../../../kernel/clock.js';
import { TeamProcessor } from '../../../platform/queue/team-processor.js';
import type { LeasedRun } from './domain/schedule-run.js';
import { SCHEDULES_QUEUE, SchedulesQueue } from './domain/schedules-queue.js';
import { RUNS_AT_ONCE } from './domain/source-limits.js';
import { ScheduleRunsService } from './schedule-runs.service.js';

/** Rows take turns (`RunReadingService`). */
@Processor(SCHEDULES_QUEUE, { concurrency: RUNS_AT_ONCE })
export class SchedulesProcessor extends TeamProcessor<LeasedRun> {
  constructor(jobs: SchedulesQueue, clock: Clock, runs: ScheduleRunsService) {
    super(jobs, clock, [runs]);
  }
}
