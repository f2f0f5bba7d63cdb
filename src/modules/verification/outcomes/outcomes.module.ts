import { Module } from '@nestjs/common';
import { registrableOf } from '../../../engine/lists/adapters/domain-lists.js';
import { PostgresTeamStatisticsRepository } from './adapters/postgres-team-statistics.repository.js';
import { PostgresOutcomeRepository } from './adapters/postgres-outcome.repository.js';
import { TeamStatisticsRepository } from './domain/team-statistics.repository.js';
import { OutcomeRepository } from './domain/outcome.repository.js';
import { TeamStatisticsService } from './team-statistics.service.js';
import { LearningService } from './learning.service.js';
import { OutcomesController } from './outcomes.controller.js';
import { OutcomesService } from './outcomes.service.js';
import { MailHosts } from './domain/mail-hosts.js';

@Module({
  controllers: [OutcomesController],
  providers: [
    OutcomesService,
    TeamStatisticsService,
    LearningService,
    { provide: OutcomeRepository, useClass: PostgresOutcomeRepository },
    { provide: MailHosts, useValue: { hostOf: registrableOf } satisfies MailHosts },
    { provide: TeamStatisticsRepository, useClass: PostgresTeamStatisticsRepository },
  ],
  exports: [OutcomesService, TeamStatisticsService, LearningService],
})
export class OutcomesModule {}
