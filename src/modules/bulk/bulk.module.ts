import { Module } from '@nestjs/common';
import { PostgresUnitOfWork } from '../../platform/database/postgres-unit-of-work.js';
import { Config } from '../../platform/config/config.js';
import { TeamsModule } from '../teams/teams.module.js';
import { TiersModule } from '../tiers/tiers.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { VerificationModule } from '../verification/verification.module.js';
import { PostgresBulkJobRepository } from './adapters/postgres-bulk-job.repository.js';
import { PostgresListErasureRepository } from './adapters/postgres-list-erasure.repository.js';
import { PostgresListRepository } from './adapters/postgres-list.repository.js';
import { PostgresWorkRepository } from './adapters/postgres-work.repository.js';
import { StreamingListReader } from './adapters/streaming-list-reader.js';
import { BulkBell } from './bulk-bell.service.js';
import { BulkEndingService } from './bulk-ending.service.js';
import { BulkProgressService } from './bulk-progress.service.js';
import { BulkRechecksService } from './bulk-rechecks.service.js';
import { BulkSettings, BulkUpkeepService } from './bulk-upkeep.service.js';
import { BulkWorkService } from './bulk-work.service.js';
import { BulkController } from './bulk.controller.js';
import { BulkResultsService } from './bulk-results.service.js';
import { BulkService } from './bulk.service.js';
import { BulkJobRepository } from './domain/bulk-job.repository.js';
import { BulkSlots } from './domain/bulk-slots.js';
import { ListErasureRepository } from './domain/list-erasure.repository.js';
import { ListReader } from './domain/list-reader.js';
import { ListRepository } from './domain/list.repository.js';
import { WorkRepository } from './domain/work.repository.js';
import { ListErasureService } from './list-erasure.service.js';

const REPOSITORIES = [
  [BulkJobRepository, PostgresBulkJobRepository],
  [ListRepository, PostgresListRepository],
  [WorkRepository, PostgresWorkRepository],
  [ListErasureRepository, PostgresListErasureRepository],
] as const;

@Module({
  imports: [TeamsModule, TiersModule, UsageModule, VerificationModule],
  controllers: [BulkController],
  providers: [
    BulkService,
    BulkResultsService,
    BulkBell,
    BulkEndingService,
    BulkProgressService,
    BulkRechecksService,
    BulkUpkeepService,
    BulkWorkService,
    ListErasureService,
    ...REPOSITORIES.map(([provide, Repository]) => ({
      provide,
      useFactory: (work: PostgresUnitOfWork) => new Repository(work),
      inject: [PostgresUnitOfWork],
    })),
    { provide: BulkSlots, useFactory: () => new BulkSlots() },
    { provide: ListReader, useFactory: () => new StreamingListReader() },
    {
      provide: BulkSettings,
      useFactory: ({ bulkDeadlineMs }: Config): BulkSettings => ({ deadlineMs: bulkDeadlineMs }),
      inject: [Config],
    },
  ],
  exports: [
    BulkService,
    BulkEndingService,
    BulkRechecksService,
    BulkUpkeepService,
    BulkWorkService,
    ListErasureService,
  ],
})
export class BulkModule {}
