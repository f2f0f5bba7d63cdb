import { Module } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { PostgresUnitOfWork } from '../../platform/database/postgres-unit-of-work.js';
import { TiersModule } from '../tiers/tiers.module.js';
import { PostgresUsageRepository } from './adapters/postgres-usage.repository.js';
import { UsageRepository } from './domain/usage.repository.js';
import { QuotaEventsService } from './quota-events.service.js';
import { UsageController } from './usage.controller.js';
import { UsageService } from './usage.service.js';

@Module({
  imports: [TiersModule],
  controllers: [UsageController],
  providers: [
    UsageService,
    QuotaEventsService,
    {
      provide: UsageRepository,
      useFactory: (work: PostgresUnitOfWork, clock: Clock) => new PostgresUsageRepository(work, clock),
      inject: [PostgresUnitOfWork, Clock],
    },
  ],
  exports: [UsageService],
})
export class UsageModule {}
