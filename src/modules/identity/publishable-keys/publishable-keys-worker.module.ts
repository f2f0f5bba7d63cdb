import { Module } from '@nestjs/common';
import { ScheduledTasks } from '../../../platform/time/scheduled-tasks.js';
import { PublishableKeysModule } from './publishable-keys.module.js';
import { PublishableKeysService } from './publishable-keys.service.js';
import { MINUTE_MS } from '../../../kernel/durations.js';

@Module({ imports: [PublishableKeysModule] })
export class PublishableKeysWorkerModule {
  constructor(tasks: ScheduledTasks, keys: PublishableKeysService) {
    tasks.add({
      name: 'delete counters of publishable keys',
      everyMs: 15 * MINUTE_MS,
      run: () => keys.deleteExpired(),
    });
  }
}
