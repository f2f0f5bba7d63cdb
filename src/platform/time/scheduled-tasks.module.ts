import { Global, Module } from '@nestjs/common';
import { ScheduledTasks } from './scheduled-tasks.js';

@Global()
@Module({ providers: [ScheduledTasks], exports: [ScheduledTasks] })
export class ScheduledTasksModule {}
