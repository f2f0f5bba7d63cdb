import { Module } from '@nestjs/common';
import { registrableOf } from '../../engine/lists/adapters/domain-lists.js';
import { PostgresExperienceRepository } from './adapters/postgres-experience.repository.js';
import { PostgresOutcomeRepository } from './adapters/postgres-outcome.repository.js';
import { ExperienceRepository } from './domain/experience.repository.js';
import { OutcomeRepository } from './domain/outcome.repository.js';
import { ExperienceService } from './experience.service.js';
import { LearningService } from './learning.service.js';
import { OutcomesController } from './outcomes.controller.js';
import { OutcomesService } from './outcomes.service.js';
import { MailOperators } from './domain/mail-operators.js';

@Module({
  controllers: [OutcomesController],
  providers: [
    OutcomesService,
    ExperienceService,
    LearningService,
    { provide: OutcomeRepository, useClass: PostgresOutcomeRepository },
    { provide: MailOperators, useValue: { operatorOf: registrableOf } satisfies MailOperators },
    { provide: ExperienceRepository, useClass: PostgresExperienceRepository },
  ],
  exports: [OutcomesService, ExperienceService, LearningService],
})
export class OutcomesModule {}
