import { Module } from '@nestjs/common';
import { Erasures } from '../../platform/database/erasure/erasures.js';
import { ScheduledTasks } from '../../platform/time/scheduled-tasks.js';
import { ExperienceService } from './experience.service.js';
import { OutcomesModule } from './outcomes.module.js';
import { OutcomesService } from './outcomes.service.js';

const MINUTE_MS = 60_000;
const LEARN_MS = 10_000;

@Module({ imports: [OutcomesModule] })
export class OutcomesWorkerModule {
  constructor(
    tasks: ScheduledTasks,
    erasures: Erasures,
    outcomes: OutcomesService,
    experience: ExperienceService,
  ) {
    tasks.add(
      { name: 'delete old outcomes', everyMs: MINUTE_MS, run: () => outcomes.deleteOld() },
      { name: 'delete old verdicts of outcomes', everyMs: MINUTE_MS, run: () => experience.deleteOld() },
      { name: 'learn from outcomes', everyMs: LEARN_MS, run: () => experience.learnDue() },
    );
    erasures.add('team', (team) => outcomes.deleteByTeam(team));
  }
}
