import { Module } from '@nestjs/common';
import { TargetsModule } from '../../../platform/targets/targets.module.js';
import { QueueModule } from '../../../platform/queue/queue.module.js';
import { ThreadsModule } from '../../../platform/threads/threads.module.js';
import { BulkModule } from '../bulk/bulk.module.js';
import { TeamsModule } from '../../identity/teams/teams.module.js';
import { TiersModule } from '../../identity/tiers/tiers.module.js';
import { VerificationModule } from '../../verification/verification/verification.module.js';
import { HttpListSource } from './adapters/http-list-source.js';
import { PostgresScheduleMemberRepository } from './adapters/postgres-schedule-member.repository.js';
import { PostgresScheduleRowRepository } from './adapters/postgres-schedule-row.repository.js';
import { PostgresScheduleRunRepository } from './adapters/postgres-schedule-run.repository.js';
import { PostgresScheduleRepository } from './adapters/postgres-schedule.repository.js';
import { SourceRequests } from './adapters/source-requests.js';
import { ScheduleChecksController } from './schedule-checks.controller.js';
import { ScheduleChecksService } from './schedule-checks.service.js';
import { ListSource } from './domain/list-source.js';
import { ScheduleMemberRepository } from './domain/schedule-member.repository.js';
import { ScheduleRowRepository } from './domain/schedule-row.repository.js';
import { ScheduleRunRepository } from './domain/schedule-run.repository.js';
import { ScheduleRepository } from './domain/schedule.repository.js';
import { SCHEDULES_QUEUE, SchedulesQueue } from './domain/schedules-queue.js';
import { SourceLimits } from './domain/source-limits.js';
import { DomainProofsService } from './runs/domain-proofs.service.js';
import { RunConfirmationsService } from './runs/run-confirmations.service.js';
import { RunEndsService } from './runs/run-ends.service.js';
import { RunReadingService } from './runs/run-reading.service.js';
import { RunRecordingService } from './runs/run-recording.service.js';
import { RunWritingService } from './runs/run-writing.service.js';
import { ScheduleMailsService } from './runs/schedule-mails.service.js';
import { ScheduleRunsController } from './schedule-runs.controller.js';
import { ScheduleRunsService } from './schedule-runs.service.js';
import { SchedulesController } from './schedules.controller.js';
import { SchedulesService } from './schedules.service.js';

const QUEUE = QueueModule.registerQueue(SCHEDULES_QUEUE, SchedulesQueue, 'run-schedule');

@Module({
  imports: [QUEUE, TargetsModule, ThreadsModule, BulkModule, TeamsModule, TiersModule, VerificationModule],
  controllers: [ScheduleChecksController, SchedulesController, ScheduleRunsController],
  providers: [
    SchedulesService,
    ScheduleRunsService,
    ScheduleChecksService,
    RunReadingService,
    RunRecordingService,
    RunWritingService,
    RunConfirmationsService,
    RunEndsService,
    ScheduleMailsService,
    DomainProofsService,
    SourceLimits,
    SourceRequests,
    { provide: ScheduleRepository, useClass: PostgresScheduleRepository },
    { provide: ScheduleRunRepository, useClass: PostgresScheduleRunRepository },
    { provide: ScheduleMemberRepository, useClass: PostgresScheduleMemberRepository },
    { provide: ScheduleRowRepository, useClass: PostgresScheduleRowRepository },
    { provide: ListSource, useClass: HttpListSource },
  ],
  exports: [QUEUE, SchedulesService, ScheduleRunsService, RunConfirmationsService],
})
export class SchedulesModule {}
