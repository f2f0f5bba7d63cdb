import { Module } from '@nestjs/common';
import { Erasures } from '../../../platform/database/erasure/erasures.js';
import { Retention } from '../../../platform/database/erasure/retention.js';
import { ScheduledTasks } from '../../../platform/time/scheduled-tasks.js';
import { VerificationModule } from './verification.module.js';
import { MINUTE_MS } from '../../../kernel/durations.js';

const FACTS = { table: 'address_facts', column: 'expires_at' };
const VERDICTS = { table: 'rechecks', column: 'erase_at' };
const OF_TEAM = [
  { table: 'address_facts', orderBy: 'team_id, address_hash' },
  { table: 'rechecks', orderBy: 'team_id', where: 'due_at IS NOT NULL' },
  { table: 'rechecks', orderBy: 'team_id', where: 'due_at IS NULL' },
];

@Module({ imports: [VerificationModule] })
export class VerificationWorkerModule {
  constructor(tasks: ScheduledTasks, erasures: Erasures, retention: Retention) {
    tasks.add(
      { name: 'delete expired facts', everyMs: MINUTE_MS, run: () => retention.deleteExpired(FACTS) },
      {
        name: 'delete verdicts of rechecks',
        everyMs: MINUTE_MS,
        run: () => retention.deleteExpired(VERDICTS),
      },
    );
    erasures.add('team', (team) => retention.deleteBySubject(team, ...OF_TEAM));
  }
}
