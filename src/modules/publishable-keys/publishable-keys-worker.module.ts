import { Module } from '@nestjs/common';
import { ScheduledTasks } from '../../platform/time/scheduled-tasks.js';
import { PublishableStore } from './domain/publishable-store.js';
import { PublishableKeysModule } from './publishable-keys.module.js';

const MINUTE_MS = 60_000;

@Module({ imports: [PublishableKeysModule] })
export class PublishableKeysWorkerModule {
  constructor(tasks: ScheduledTasks, store: PublishableStore) {
    tasks.add({
      name: 'delete counters of publishable keys',
      everyMs: 15 * MINUTE_MS,
      run: () => store.deleteExpired(),
    });
  }
}
