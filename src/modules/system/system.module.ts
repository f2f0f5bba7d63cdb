import { Module } from '@nestjs/common';
import { TeamsModule } from '../teams/teams.module.js';
import { SystemController } from './system.controller.js';
import { SystemService } from './system.service.js';

@Module({ imports: [TeamsModule], controllers: [SystemController], providers: [SystemService] })
export class SystemModule {}
