import { Global, Module } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { ScheduledTasks } from './scheduled-tasks.js';
import { SystemClock } from './system-clock.js';

@Global()
@Module({
  providers: [{ provide: Clock, useClass: SystemClock }, ScheduledTasks],
  exports: [Clock, ScheduledTasks],
})
export class TimeModule {}
