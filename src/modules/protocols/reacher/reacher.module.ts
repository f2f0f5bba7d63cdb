import { Module } from '@nestjs/common';
import { ThreadsModule } from '../../../platform/threads/threads.module.js';
import { BulkModule } from '../../lists/bulk/bulk.module.js';
import { VerificationModule } from '../../verification/verification/verification.module.js';
import { PostgresJobNumbers } from './adapters/postgres-job-numbers.js';
import { JobNumbers } from './domain/job-numbers.js';
import { ReacherController } from './reacher.controller.js';
import { ReacherListsService } from './reacher-lists.service.js';

@Module({
  imports: [ThreadsModule, VerificationModule, BulkModule],
  controllers: [ReacherController],
  providers: [ReacherListsService, { provide: JobNumbers, useClass: PostgresJobNumbers }],
})
export class ReacherModule {}
