import { Module } from '@nestjs/common';
import { BulkModule } from '../../../lists/bulk/bulk.module.js';
import { SchedulesModule } from '../../../lists/schedules/schedules.module.js';
import { TeamsModule } from '../../../identity/teams/teams.module.js';
import { VerificationModule } from '../../../verification/verification/verification.module.js';
import { PersonErasureService } from './person-erasure.service.js';

/** Only the command line erases a person; all else in `accounts` needs neither lists nor the engine. */
@Module({
  imports: [TeamsModule, VerificationModule, BulkModule, SchedulesModule],
  providers: [PersonErasureService],
  exports: [PersonErasureService],
})
export class PersonErasureModule {}
