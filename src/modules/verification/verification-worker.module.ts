import { Inject, Module, type DynamicModule, type Type } from '@nestjs/common';
import { Erasures } from '../../platform/database/erasure/erasures.js';
import { ScheduledTasks } from '../../platform/time/scheduled-tasks.js';
import { TeamsModule } from '../teams/teams.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { AddressFactsService } from './address-facts.service.js';
import { RecheckMaintenanceService } from './recheck-maintenance.service.js';
import { ListRows, RecheckRunService } from './recheck-run.service.js';
import { RechecksProcessor } from './rechecks.processor.js';
import { RechecksService } from './rechecks.service.js';
import { LimitsStore } from '../../engine/limits/limits-store.js';
import { SharedLimitsModule } from './shared-limits.module.js';
import { VerificationModule } from './verification.module.js';
import { WarmupModule } from './warmup.module.js';
import { WarmupStore } from '../../engine/egress/warmup-store.js';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

@Module({
  imports: [VerificationModule, WarmupModule, SharedLimitsModule, TeamsModule, UsageModule],
  providers: [RechecksProcessor, RecheckRunService],
})
export class VerificationWorkerModule {
  /** @param rows of lists that are rechecked, exported by the module. */
  static recordingRows(module: Type, rows: Type<ListRows>): DynamicModule {
    return {
      module: VerificationWorkerModule,
      imports: [module],
      providers: [{ provide: ListRows, useExisting: rows }],
    };
  }

  constructor(
    tasks: ScheduledTasks,
    erasures: Erasures,
    facts: AddressFactsService,
    rechecks: RechecksService,
    maintenance: RecheckMaintenanceService,
    warmup: WarmupStore,
    @Inject(LimitsStore) store: LimitsStore | null,
  ) {
    tasks.add(
      { name: 'enqueue rechecks', everyMs: 5 * SECOND_MS, run: () => maintenance.enqueueDue() },
      { name: 'delete expired facts', everyMs: MINUTE_MS, run: () => facts.eraseExpired() },
      {
        name: 'delete expired permits and shared state',
        everyMs: MINUTE_MS,
        run: async () => (await store?.deleteExpired()) ?? 0,
      },
      { name: 'delete verdicts of rechecks', everyMs: MINUTE_MS, run: () => rechecks.eraseExpired() },
      {
        name: 'delete counters of unused egresses',
        everyMs: 60 * MINUTE_MS,
        run: () => warmup.deleteUnused(),
      },
    );
    erasures.add(
      'team',
      (team) => facts.deleteByTeam(team),
      (team) => rechecks.deleteByTeam(team),
      (team) => warmup.deleteByTeam(team),
    );
  }
}
