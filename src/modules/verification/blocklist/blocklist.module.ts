import { Module } from '@nestjs/common';
import { PostgresBlocklistRepository } from './adapters/postgres-blocklist.repository.js';
import { BlocklistController } from './blocklist.controller.js';
import { BlocklistService } from './blocklist.service.js';
import { BlocklistRepository } from './domain/blocklist.repository.js';

@Module({
  controllers: [BlocklistController],
  providers: [BlocklistService, { provide: BlocklistRepository, useClass: PostgresBlocklistRepository }],
  exports: [BlocklistService],
})
export class BlocklistModule {}
