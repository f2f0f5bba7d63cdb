import { Module } from '@nestjs/common';
import { PostgresUnitOfWork } from '../../platform/database/postgres-unit-of-work.js';
import { TiersModule } from '../tiers/tiers.module.js';
import { PostgresTeamRepository } from './adapters/postgres-team.repository.js';
import { TeamRepository } from './domain/team.repository.js';
import { TeamsService } from './teams.service.js';

@Module({
  imports: [TiersModule],
  providers: [
    TeamsService,
    {
      provide: TeamRepository,
      useFactory: (work: PostgresUnitOfWork) => new PostgresTeamRepository(work),
      inject: [PostgresUnitOfWork],
    },
  ],
  exports: [TeamsService],
})
export class TeamsModule {}
