import { Module } from '@nestjs/common';
import { Erasures } from '../../platform/database/erasure/erasures.js';
import { ScheduledTasks } from '../../platform/time/scheduled-tasks.js';
import { OutcomesModule } from './outcomes.module.js';
import { OutcomesService } from './outcomes.service.js';

const MINUTE_MS = 60_000;

@Module({ imports: [OutcomesModule] })
export class OutcomesWorkerModule {
  constructor(tasks: ScheduledTasks, erasures: Erasures, outcomes: OutcomesService) {
    tasks.add({ name: 'delete old outcomes', everyMs: MINUTE_MS, run: () => outcomes.deleteOld() });
    erasures.add('team', (team) => outcomes.deleteByTeam(team));
  }
}
