import { Module } from '@nestjs/common';
import { AccuracyController } from './accuracy.controller.js';
import { AccuracyService } from './accuracy.service.js';
import { PostgresAccuracyRepository } from './adapters/postgres-accuracy.repository.js';
import { PostgresOutcomeRepository } from './adapters/postgres-outcome.repository.js';
import { AccuracyRepository } from './domain/accuracy.repository.js';
import { OutcomeRepository } from './domain/outcome.repository.js';
import { OutcomesController } from './outcomes.controller.js';
import { OutcomesService } from './outcomes.service.js';

@Module({
  controllers: [OutcomesController, AccuracyController],
  providers: [
    OutcomesService,
    AccuracyService,
    { provide: OutcomeRepository, useClass: PostgresOutcomeRepository },
    { provide: AccuracyRepository, useClass: PostgresAccuracyRepository },
  ],
  exports: [OutcomesService],
})
export class OutcomesModule {}
