import { Module } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { PostgresUnitOfWork } from '../../platform/database/postgres-unit-of-work.js';
import { PostgresDisposableOverrideRepository } from './adapters/postgres-disposable-override.repository.js';
import { DisposableController } from './disposable.controller.js';
import { DisposableService } from './disposable.service.js';
import { DisposableCandidatesService } from './disposable-candidates.service.js';
import { DisposableOverrideRepository } from './domain/disposable-override.repository.js';

@Module({
  controllers: [DisposableController],
  providers: [
    DisposableService,
    DisposableCandidatesService,
    {
      provide: DisposableOverrideRepository,
      useFactory: (work: PostgresUnitOfWork, clock: Clock) =>
        new PostgresDisposableOverrideRepository(work, clock),
      inject: [PostgresUnitOfWork, Clock],
    },
  ],
  exports: [DisposableService, DisposableCandidatesService],
})
export class DisposableModule {}
