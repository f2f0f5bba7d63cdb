import { Module } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { PostgresUnitOfWork } from '../../platform/database/postgres-unit-of-work.js';
import { PostgresBlocklistRepository } from './adapters/postgres-blocklist.repository.js';
import { BlocklistController } from './blocklist.controller.js';
import { BlocklistService } from './blocklist.service.js';
import { BlocklistRepository } from './domain/blocklist.repository.js';

@Module({
  controllers: [BlocklistController],
  providers: [
    BlocklistService,
    {
      provide: BlocklistRepository,
      useFactory: (work: PostgresUnitOfWork, clock: Clock) => new PostgresBlocklistRepository(work, clock),
      inject: [PostgresUnitOfWork, Clock],
    },
  ],
  exports: [BlocklistService],
})
export class BlocklistModule {}
