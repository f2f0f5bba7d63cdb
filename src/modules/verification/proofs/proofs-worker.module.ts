import { Module } from '@nestjs/common';
import { Retention } from '../../../platform/database/erasure/retention.js';
import { ScheduledTasks } from '../../../platform/time/scheduled-tasks.js';

const CONFIRMED = { table: 'confirmed_proofs', column: 'expires_at' };

@Module({})
export class ProofsWorkerModule {
  constructor(tasks: ScheduledTasks, retention: Retention) {
    tasks.add({
      name: 'delete confirmed proofs',
      everyMs: 900_000,
      run: () => retention.deleteExpired(CONFIRMED),
    });
  }
}
