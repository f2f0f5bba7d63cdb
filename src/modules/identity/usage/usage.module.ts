import { Module } from '@nestjs/common';
import { TiersModule } from '../tiers/tiers.module.js';
import { PostgresUsageRepository } from './adapters/postgres-usage.repository.js';
import { UsageRepository } from './domain/usage.repository.js';
import { UsageController } from './usage.controller.js';
import { UsageService } from './usage.service.js';

@Module({
  imports: [TiersModule],
  controllers: [UsageController],
  providers: [UsageService, { provide: UsageRepository, useClass: PostgresUsageRepository }],
  exports: [UsageService],
})
export class UsageModule {}
