import { Module } from '@nestjs/common';
import { ScheduledTasks } from '../../platform/time/scheduled-tasks.js';
import { UsageModule } from './usage.module.js';
import { UsageService } from './usage.service.js';

const SECOND_MS = 1_000;

@Module({ imports: [UsageModule] })
export class UsageWorkerModule {
  constructor(tasks: ScheduledTasks, usage: UsageService) {
    tasks.add({ name: 'delete old usage', everyMs: 900 * SECOND_MS, run: () => usage.deleteOld() });
  }
}
