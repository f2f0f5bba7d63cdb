import { Module } from '@nestjs/common';
import { ScheduledTasks } from '../../platform/time/scheduled-tasks.js';
import { OutcomeIntakeModule } from './outcome-intake.module.js';
import { OutcomeSourcesService } from './outcome-sources.service.js';

const HOUR_MS = 3_600_000;

@Module({ imports: [OutcomeIntakeModule] })
export class OutcomeIntakeWorkerModule {
  constructor(tasks: ScheduledTasks, sources: OutcomeSourcesService) {
    tasks.add({
      name: 'delete used tokens of providers',
      everyMs: HOUR_MS,
      run: () => sources.deleteUsedTokens(),
    });
  }
}
