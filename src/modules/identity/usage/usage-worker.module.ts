import { Module } from '@nestjs/common';
import { Retention } from '../../../platform/database/erasure/retention.js';
import { ScheduledTasks } from '../../../platform/time/scheduled-tasks.js';
import { MINUTE_MS } from '../../../kernel/durations.js';

/** Longer than the longest history of the API. */
const KEPT_DAYS = 400;

@Module({})
export class UsageWorkerModule {
  constructor(tasks: ScheduledTasks, retention: Retention) {
    const days = { column: 'day', days: KEPT_DAYS };
    tasks.add({
      name: 'delete old usage',
      everyMs: 15 * MINUTE_MS,
      run: () => retention.deleteExpired({ table: 'usage_days', ...days }, { table: 'quota_days', ...days }),
    });
  }
}
