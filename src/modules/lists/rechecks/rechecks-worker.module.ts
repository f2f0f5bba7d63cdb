import { Module } from '@nestjs/common';
import { ScheduledTasks } from '../../../platform/time/scheduled-tasks.js';
import { BulkModule } from '../bulk/bulk.module.js';
import { TeamsModule } from '../../identity/teams/teams.module.js';
import { UsageModule } from '../../identity/usage/usage.module.js';
import { VerificationModule } from '../../verification/verification/verification.module.js';
import { RecheckRunService } from './recheck-run.service.js';
import { RechecksProcessor } from './rechecks.processor.js';

const INTERVAL_MS = 5_000;

@Module({
  imports: [VerificationModule, BulkModule, TeamsModule, UsageModule],
  providers: [RechecksProcessor, RecheckRunService],
})
export class RechecksWorkerModule {
  constructor(tasks: ScheduledTasks, rechecks: RechecksProcessor) {
    tasks.add({ name: 'enqueue rechecks', everyMs: INTERVAL_MS, run: () => rechecks.enqueueWaiting() });
  }
}
