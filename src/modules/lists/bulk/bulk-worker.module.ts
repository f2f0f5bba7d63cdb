import { Module } from '@nestjs/common';
import { TeamsModule } from '../../identity/teams/teams.module.js';
import { BulkModule } from './bulk.module.js';
import { BulkTasks } from './bulk.tasks.js';
import { BulkProcessor } from './work/bulk.processor.js';

@Module({ imports: [BulkModule, TeamsModule], providers: [BulkProcessor, BulkTasks] })
export class BulkWorkerModule {}
