import { Module } from '@nestjs/common';
import { Erasures } from '../../../platform/database/erasure/erasures.js';
import { Retention } from '../../../platform/database/erasure/retention.js';
import { ScheduledTasks } from '../../../platform/time/scheduled-tasks.js';
import { WINDOW_DAYS } from './domain/deliveries.js';
import { KEPT_DAYS } from './domain/outcome.js';
import { TeamStatisticsService } from './team-statistics.service.js';
import { LearningService } from './learning.service.js';
import { OutcomesModule } from './outcomes.module.js';
import { MINUTE_MS } from '../../../kernel/durations.js';

const LEARN_MS = 10_000;
const OUTCOMES = { table: 'outcomes', column: 'at', days: KEPT_DAYS };
/** A later outcome does not find its verdict. */
const VERDICTS = { table: 'outcome_verdicts', column: 'day', days: WINDOW_DAYS };
const ACCEPTED = { table: 'outcome_accepted', column: 'day', days: WINDOW_DAYS };

@Module({ imports: [OutcomesModule] })
export class OutcomesWorkerModule {
  constructor(
    tasks: ScheduledTasks,
    erasures: Erasures,
    retention: Retention,
    statistics: TeamStatisticsService,
    learning: LearningService,
  ) {
    const deleteOld = (rows: typeof OUTCOMES) => () => retention.deleteExpired(rows);
    tasks.add(
      { name: 'delete old outcomes', everyMs: MINUTE_MS, run: deleteOld(OUTCOMES) },
      { name: 'delete old verdicts of outcomes', everyMs: MINUTE_MS, run: deleteOld(VERDICTS) },
      { name: 'delete old counts of accepted addresses', everyMs: MINUTE_MS, run: deleteOld(ACCEPTED) },
      { name: 'learn from outcomes', everyMs: LEARN_MS, run: () => learning.learnDue() },
    );
    erasures.add(
      'team',
      (team) => statistics.deleteByTeam(team),
      (team) =>
        retention.deleteBySubject(
          team,
          { table: 'outcomes', orderBy: 'team_id, address_hash, event_key' },
          { table: 'outcome_accepted', orderBy: 'team_id, host, name, day' },
        ),
    );
  }
}
