import { Module } from '@nestjs/common';
import { TargetsModule } from '../../platform/targets/targets.module.js';
import { QueueModule } from '../../platform/queue/queue.module.js';
import { BulkModule } from '../bulk/bulk.module.js';
import { TeamsModule } from '../teams/teams.module.js';
import { TiersModule } from '../tiers/tiers.module.js';
import { VerificationModule } from '../verification/verification.module.js';
import { HttpListSource } from './adapters/http-list-source.js';
import { ListmonkWriter } from './adapters/listmonk-writer.js';
import { PostgresScheduleMemberRepository } from './adapters/postgres-schedule-member.repository.js';
import { PostgresScheduleRunRepository } from './adapters/postgres-schedule-run.repository.js';
import { PostgresScheduleRepository } from './adapters/postgres-schedule.repository.js';
import { SourceRequests } from './adapters/source-requests.js';
import { ListSource, ResultWriter } from './domain/list-source.js';
import { ScheduleMemberRepository } from './domain/schedule-member.repository.js';
import { ScheduleRunRepository } from './domain/schedule-run.repository.js';
import { ScheduleRepository } from './domain/schedule.repository.js';
import { SCHEDULES_QUEUE, SchedulesQueue } from './domain/schedules-queue.js';
import { SourceLimits } from './domain/source-limits.js';
import { RunReadingService } from './run-reading.service.js';
import { RunResultsService } from './run-results.service.js';
import { ScheduleRunsService } from './schedule-runs.service.js';
import { SchedulesController } from './schedules.controller.js';
import { SchedulesService } from './schedules.service.js';

const QUEUE = QueueModule.registerQueue(SCHEDULES_QUEUE, SchedulesQueue, 'run-schedule');

@Module({
  imports: [QUEUE, TargetsModule, BulkModule, TeamsModule, TiersModule, VerificationModule],
  controllers: [SchedulesController],
  providers: [
    SchedulesService,
    ScheduleRunsService,
    RunReadingService,
    RunResultsService,
    SourceLimits,
    SourceRequests,
    { provide: ScheduleRepository, useClass: PostgresScheduleRepository },
    { provide: ScheduleRunRepository, useClass: PostgresScheduleRunRepository },
    { provide: ScheduleMemberRepository, useClass: PostgresScheduleMemberRepository },
    { provide: ListSource, useClass: HttpListSource },
    { provide: ResultWriter, useClass: ListmonkWriter },
  ],
  exports: [QUEUE, SchedulesService, ScheduleRunsService],
})
export class SchedulesModule {}
