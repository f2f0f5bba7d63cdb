import { Module } from '@nestjs/common';
import { PostgresOutcomeRepository } from './adapters/postgres-outcome.repository.js';
import { OutcomeRepository } from './domain/outcome.repository.js';
import { OutcomesController } from './outcomes.controller.js';
import { OutcomesService } from './outcomes.service.js';

@Module({
  controllers: [OutcomesController],
  providers: [OutcomesService, { provide: OutcomeRepository, useClass: PostgresOutcomeRepository }],
  exports: [OutcomesService],
})
export class OutcomesModule {}
