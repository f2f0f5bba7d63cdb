import { Inject, Module } from '@nestjs/common';
import { WarmupStore } from '../../../engine/egress/warmup-store.js';
import { PermitStore } from '../../../engine/limits/permit-store.js';
import { SharedStateStore } from '../../../engine/limits/shared-state-store.js';
import { HOUR_MS, MINUTE_MS } from '../../../kernel/durations.js';
import { Erasures } from '../../../platform/database/erasure/erasures.js';
import { ScheduledTasks } from '../../../platform/time/scheduled-tasks.js';
import { SharedLimitsModule } from './shared-limits.module.js';

/** Deletes what processes that have ended, and egresses that are not used any more, have left. */
@Module({ imports: [SharedLimitsModule] })
export class MailServersWorkerModule {
  constructor(
    tasks: ScheduledTasks,
    erasures: Erasures,
    @Inject(WarmupStore) warmup: WarmupStore | null,
    @Inject(PermitStore) permits: PermitStore | null,
    @Inject(SharedStateStore) states: SharedStateStore | null,
  ) {
    tasks.add(
      {
        name: 'delete expired permits and shared state',
        everyMs: MINUTE_MS,
        run: async () => ((await permits?.deleteExpired()) ?? 0) + ((await states?.deleteExpired()) ?? 0),
      },
      {
        name: 'delete counters of unused egresses',
        everyMs: HOUR_MS,
        run: async () => (await warmup?.deleteUnused()) ?? 0,
      },
    );
    erasures.add('team', async (teamId) => (await warmup?.deleteByTeam(teamId)) ?? 0);
  }
}
