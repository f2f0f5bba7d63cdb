import { Module } from '@nestjs/common';
import { TeamsModule } from '../../identity/teams/teams.module.js';
import { PostgresDisposableOverrideRepository } from './adapters/postgres-disposable-override.repository.js';
import { DisposableController } from './disposable.controller.js';
import { DisposableService } from './disposable.service.js';
import { DisposableOverrideRepository } from './domain/disposable-override.repository.js';

@Module({
  imports: [TeamsModule],
  controllers: [DisposableController],
  providers: [
    DisposableService,
    { provide: DisposableOverrideRepository, useClass: PostgresDisposableOverrideRepository },
  ],
  exports: [DisposableService],
})
export class DisposableModule {}
