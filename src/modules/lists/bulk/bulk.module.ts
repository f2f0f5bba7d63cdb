import { Module } from '@nestjs/common';
import { QueueModule } from '../../../platform/queue/queue.module.js';
import { ThreadsModule } from '../../../platform/threads/threads.module.js';
import { PolicyModule } from '../../verification/policy/policy.module.js';
import { TeamsModule } from '../../identity/teams/teams.module.js';
import { TiersModule } from '../../identity/tiers/tiers.module.js';
import { UsageModule } from '../../identity/usage/usage.module.js';
import { VerificationModule } from '../../verification/verification/verification.module.js';
import { PostgresBulkJobRepository } from './adapters/postgres-bulk-job.repository.js';
import { PostgresChunkRepository } from './adapters/postgres-chunk.repository.js';
import { PostgresListRepository } from './adapters/postgres-list.repository.js';
import { PostgresPreviewRepository } from './adapters/postgres-preview.repository.js';
import { PostgresStoredVerdictsRepository } from './adapters/postgres-stored-verdicts.repository.js';
import { BulkJobRepository } from './domain/bulk-job.repository.js';
import { BulkQueue, CHUNKS_QUEUE } from './domain/bulk-queue.js';
import { ChunkRepository } from './domain/chunk.repository.js';
import { PreviewRepository } from './domain/preview.repository.js';
import { BulkSlots, ListRepository } from './domain/list.repository.js';
import { StoredVerdictsRepository } from './domain/stored-verdicts.repository.js';
import { BulkIntakeController } from './intake/bulk-intake.controller.js';
import { HeldListsService } from './intake/held-lists.service.js';
import { ListAdmissionService } from './intake/list-admission.service.js';
import { ListIntakeService } from './intake/list-intake.service.js';
import { ListRoomService } from './intake/list-room.service.js';
import { BulkEventsService } from './jobs/bulk-events.service.js';
import { BulkJobsController } from './jobs/bulk-jobs.controller.js';
import { BulkJobsService } from './jobs/bulk-jobs.service.js';
import { ListErasureService } from './jobs/list-erasure.service.js';
import { ListPreviewsService } from './preview/list-previews.service.js';
import { BulkResultsController } from './results/bulk-results.controller.js';
import { BulkResultsService } from './results/bulk-results.service.js';
import { StoredVerdictsService } from './results/stored-verdicts.service.js';
import { BulkRecordingService } from './work/bulk-recording.service.js';
import { ListMailsService } from './work/list-mails.service.js';
import { BulkVerificationService } from './work/bulk-verification.service.js';

const QUEUE = QueueModule.registerQueue(CHUNKS_QUEUE, BulkQueue, 'verify-chunk');

@Module({
  imports: [QUEUE, PolicyModule, TeamsModule, ThreadsModule, TiersModule, UsageModule, VerificationModule],
  controllers: [BulkIntakeController, BulkJobsController, BulkResultsController],
  providers: [
    ListIntakeService,
    ListAdmissionService,
    ListRoomService,
    HeldListsService,
    ListPreviewsService,
    BulkJobsService,
    BulkEventsService,
    ListErasureService,
    BulkResultsService,
    StoredVerdictsService,
    BulkVerificationService,
    BulkRecordingService,
    ListMailsService,
    BulkSlots,
    { provide: BulkJobRepository, useClass: PostgresBulkJobRepository },
    { provide: ListRepository, useClass: PostgresListRepository },
    { provide: StoredVerdictsRepository, useClass: PostgresStoredVerdictsRepository },
    { provide: PreviewRepository, useClass: PostgresPreviewRepository },
    { provide: ChunkRepository, useClass: PostgresChunkRepository },
  ],
  exports: [
    QUEUE,
    ListIntakeService,
    BulkJobsService,
    ListErasureService,
    BulkResultsService,
    StoredVerdictsService,
    BulkVerificationService,
    BulkRecordingService,
    ListPreviewsService,
    ListMailsService,
    BulkJobRepository,
    ChunkRepository,
    PreviewRepository,
  ],
})
export class BulkModule {}
