import { Module } from '@nestjs/common';
import { Retention } from '../../../platform/database/erasure/retention.js';
import { ScheduledTasks } from '../../../platform/time/scheduled-tasks.js';

const RECORDS = { table: 'oauth_records', column: 'expires_at' };

@Module({})
export class OAuthWorkerModule {
  constructor(tasks: ScheduledTasks, retention: Retention) {
    tasks.add({
      name: 'delete expired OAuth records',
      everyMs: 900_000,
      run: () => retention.deleteExpired(RECORDS),
    });
  }
}
