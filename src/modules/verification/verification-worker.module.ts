import { Inject, Module } from '@nestjs/common';
import { PermitStore } from '../../engine/limits/permit-store.js';
import { SharedStateStore } from '../../engine/limits/shared-state-store.js';
import { Erasures } from '../../platform/database/erasure/erasures.js';
import { Retention } from '../../platform/database/erasure/retention.js';
import { ScheduledTasks } from '../../platform/time/scheduled-tasks.js';
import { SharedLimitsModule } from './shared-limits.module.js';
import { VerificationModule } from './verification.module.js';
import { WarmupStore } from '../../engine/egress/warmup-store.js';

const MINUTE_MS = 60_000;
const FACTS = { table: 'address_facts', column: 'expires_at' };
const VERDICTS = { table: 'rechecks', column: 'erase_at' };
const OF_TEAM = [
  { table: 'address_facts', orderBy: 'team_id, address_hash' },
  { table: 'rechecks', orderBy: 'team_id', where: 'due_at IS NOT NULL' },
  { table: 'rechecks', orderBy: 'team_id', where: 'due_at IS NULL' },
];

@Module({ imports: [VerificationModule, SharedLimitsModule] })
export class VerificationWorkerModule {
  constructor(
    tasks: ScheduledTasks,
    erasures: Erasures,
    retention: Retention,
    @Inject(WarmupStore) warmup: WarmupStore | null,
    @Inject(PermitStore) permits: PermitStore | null,
    @Inject(SharedStateStore) states: SharedStateStore | null,
  ) {
    tasks.add(
      { name: 'delete expired facts', everyMs: MINUTE_MS, run: () => retention.deleteExpired(FACTS) },
      {
        name: 'delete expired permits and shared state',
        everyMs: MINUTE_MS,
        run: async () => ((await permits?.deleteExpired()) ?? 0) + ((await states?.deleteExpired()) ?? 0),
      },
      {
        name: 'delete verdicts of rechecks',
        everyMs: MINUTE_MS,
        run: () => retention.deleteExpired(VERDICTS),
      },
      {
        name: 'delete counters of unused egresses',
        everyMs: 60 * MINUTE_MS,
        run: async () => (await warmup?.deleteUnused()) ?? 0,
      },
    );
    erasures.add(
      'team',
      (team) => retention.deleteBySubject(team, ...OF_TEAM),
      async (teamId) => (await warmup?.deleteByTeam(teamId)) ?? 0,
    );
  }
}
