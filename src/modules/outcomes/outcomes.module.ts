import { Module } from '@nestjs/common';
import { registrableOf } from '../../engine/lists/adapters/domain-lists.js';
import { AccuracyController } from './accuracy.controller.js';
import { AccuracyService } from './accuracy.service.js';
import { PostgresAccuracyRepository } from './adapters/postgres-accuracy.repository.js';
import { PostgresExperienceRepository } from './adapters/postgres-experience.repository.js';
import { PostgresOutcomeRepository } from './adapters/postgres-outcome.repository.js';
import { AccuracyRepository } from './domain/accuracy.repository.js';
import { ExperienceRepository } from './domain/experience.repository.js';
import { MailOperators } from './domain/mail-operators.js';
import { OutcomeRepository } from './domain/outcome.repository.js';
import { ExperienceService } from './experience.service.js';
import { OutcomesController } from './outcomes.controller.js';
import { OutcomesService } from './outcomes.service.js';

@Module({
  controllers: [OutcomesController, AccuracyController],
  providers: [
    OutcomesService,
    AccuracyService,
    ExperienceService,
    { provide: OutcomeRepository, useClass: PostgresOutcomeRepository },
    { provide: MailOperators, useValue: { operatorOf: registrableOf } satisfies MailOperators },
    { provide: ExperienceRepository, useClass: PostgresExperienceRepository },
    { provide: AccuracyRepository, useClass: PostgresAccuracyRepository },
  ],
  exports: [OutcomesService, ExperienceService],
})
export class OutcomesModule {}
