import { Module } from '@nestjs/common';
import { DoctorModule } from '../doctor/doctor.module.js';
import { TeamsModule } from '../teams/teams.module.js';
import { SystemController } from './system.controller.js';
import { SystemService } from './system.service.js';

@Module({ imports: [TeamsModule, DoctorModule], controllers: [SystemController], providers: [SystemService] })
export class SystemModule {}
