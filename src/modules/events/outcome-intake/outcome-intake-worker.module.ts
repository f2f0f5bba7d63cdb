import { Module } from '@nestjs/common';
import { Retention } from '../../../platform/database/erasure/retention.js';
import { ScheduledTasks } from '../../../platform/time/scheduled-tasks.js';
import { HOUR_MS } from '../../../kernel/durations.js';

/** Longer than a signed time is accepted. */
const USED_TOKENS = { table: 'outcome_source_tokens', column: 'used_at', days: 3 };

@Module({})
export class OutcomeIntakeWorkerModule {
  constructor(tasks: ScheduledTasks, retention: Retention) {
    const run = () => retention.deleteExpired(USED_TOKENS);
    tasks.add({ name: 'delete used tokens of providers', everyMs: HOUR_MS, run });
  }
}
