import { Module } from '@nestjs/common';
import { DoctorModule } from '../doctor/doctor.module.js';
import { SelfChecksModule } from '../self-checks/self-checks.module.js';
import { TeamsModule } from '../../identity/teams/teams.module.js';
import { MailServersModule } from '../../verification/mail-servers/mail-servers.module.js';
import { SystemController } from './system.controller.js';
import { SystemService } from './system.service.js';

@Module({
  imports: [TeamsModule, MailServersModule, DoctorModule, SelfChecksModule],
  controllers: [SystemController],
  providers: [SystemService],
})
export class SystemModule {}
