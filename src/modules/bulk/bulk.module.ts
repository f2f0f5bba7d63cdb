import { Module } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { QueueModule } from '../../platform/queue/queue.module.js';
import { TeamsModule } from '../teams/teams.module.js';
import { TiersModule } from '../tiers/tiers.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { VerificationModule } from '../verification/verification.module.js';
import { PostgresBulkJobRepository } from './adapters/postgres-bulk-job.repository.js';
import { PostgresListRepository } from './adapters/postgres-list.repository.js';
import { PostgresChunkRepository } from './adapters/postgres-chunk.repository.js';
import { BulkDeletionService } from './bulk-deletion.service.js';
import { BulkEventsService } from './bulk-events.service.js';
import { BulkProgressService } from './bulk-progress.service.js';
import { BulkRecordingService } from './bulk-recording.service.js';
import { BulkRechecksService, BulkSettings } from './bulk-rechecks.service.js';
import { BulkMaintenanceService } from './bulk-maintenance.service.js';
import { BulkVerificationService } from './bulk-verification.service.js';
import { BulkController } from './bulk.controller.js';
import { BulkResultsService } from './bulk-results.service.js';
import { BulkService } from './bulk.service.js';
import { BulkJobRepository } from './domain/bulk-job.repository.js';
import { BulkSlots, ListRepository } from './domain/list.repository.js';
import { BulkQueue, ChunkRepository, CHUNKS_QUEUE } from './domain/chunk.repository.js';

const QUEUE = QueueModule.registerQueue(CHUNKS_QUEUE, BulkQueue, 'verify-chunk');

@Module({
  imports: [QUEUE, TeamsModule, TiersModule, UsageModule, VerificationModule],
  controllers: [BulkController],
  providers: [
    BulkService,
    BulkResultsService,
    BulkEventsService,
    BulkDeletionService,
    BulkProgressService,
    BulkRecordingService,
    BulkRechecksService,
    BulkMaintenanceService,
    BulkVerificationService,
    BulkSlots,
    { provide: BulkJobRepository, useClass: PostgresBulkJobRepository },
    { provide: ListRepository, useClass: PostgresListRepository },
    { provide: ChunkRepository, useClass: PostgresChunkRepository },
    {
      provide: BulkSettings,
      useFactory: ({ bulkDeadlineMs }: Config): BulkSettings => ({ deadlineMs: bulkDeadlineMs }),
      inject: [Config],
    },
  ],
  exports: [
    QUEUE,
    BulkService,
    BulkResultsService,
    BulkDeletionService,
    BulkRechecksService,
    BulkMaintenanceService,
    BulkVerificationService,
  ],
})
export class BulkModule {}
