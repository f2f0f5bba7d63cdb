import { Processor } from '@nestjs/bullmq';
import type { TeamId } from '../../kernel/principal.js';
import { TeamProcessor } from '../../platform/queue/team-processor.js';
import type { LeasedRun } from './domain/schedule-run.js';
import { SCHEDULES_QUEUE, SchedulesQueue } from './domain/schedules-queue.js';
import { ScheduleRunsService } from './schedule-runs.service.js';

/** A run mostly waits for its source. Rows take turns (`RunReadingService`). */
const CONCURRENCY = 16;

@Processor(SCHEDULES_QUEUE, { concurrency: CONCURRENCY })
export class SchedulesProcessor extends TeamProcessor<LeasedRun> {
  constructor(
    jobs: SchedulesQueue,
    private readonly runs: ScheduleRunsService,
  ) {
    super(jobs);
  }

  override claim(team: TeamId): Promise<LeasedRun | null> {
    return this.runs.claim(team);
  }

  override work(leased: LeasedRun, signal: AbortSignal): Promise<void> {
    return this.runs.advance(leased, signal);
  }
}
