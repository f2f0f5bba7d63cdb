import { Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '../../kernel/clock.js';
import { PostgresUnitOfWork } from '../../platform/database/postgres-unit-of-work.js';
import { describeFault, Log } from '../../platform/telemetry/log.js';
import { TiersModule } from '../tiers/tiers.module.js';
import { PostgresUsageRepository } from './adapters/postgres-usage.repository.js';
import { KnownStandings } from './domain/known-standings.js';
import { UsageRepository } from './domain/usage.repository.js';
import { LeasesService } from './leases.service.js';
import { QuotaNewsService } from './quota-news.service.js';
import { UsageController } from './usage.controller.js';
import { UsageService } from './usage.service.js';

/** Usage is at most a second behind: half of it for waiting, half for telling. */
const FLUSH_EVERY_MS = 500;

@Module({
  imports: [TiersModule],
  controllers: [UsageController],
  providers: [
    UsageService,
    LeasesService,
    QuotaNewsService,
    { provide: KnownStandings, useFactory: (clock: Clock) => new KnownStandings(clock), inject: [Clock] },
    {
      provide: UsageRepository,
      useFactory: (work: PostgresUnitOfWork, dataSource: DataSource) =>
        new PostgresUsageRepository(work, dataSource),
      inject: [PostgresUnitOfWork, DataSource],
    },
  ],
  exports: [UsageService],
})
export class UsageModule implements OnModuleInit, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private flushing: Promise<void> | null = null;

  constructor(
    private readonly usage: UsageService,
    private readonly log: Log,
  ) {}

  onModuleInit(): void {
    this.timer = setInterval(() => void (this.flushing ??= this.flush()), FLUSH_EVERY_MS).unref();
  }

  /** After the last request was answered. */
  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.flushing;
    await this.usage.close().catch((error) => this.report(error));
  }

  private async flush(): Promise<void> {
    await this.usage.flush().catch((error) => this.report(error));
    this.flushing = null;
  }

  private report(error: unknown): void {
    this.log.error({ err: describeFault(error) }, 'usage could not be told; it will be tried again');
  }
}
