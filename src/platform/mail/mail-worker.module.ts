import { Module } from '@nestjs/common';
import { ScheduledTasks } from '../time/scheduled-tasks.js';
import { PostgresMailQueue } from './postgres-mail-queue.js';
import { SECOND_MS } from '../../kernel/durations.js';

@Module({})
export class MailWorkerModule {
  constructor(tasks: ScheduledTasks, mails: PostgresMailQueue) {
    tasks.add({ name: 'send mails', everyMs: 5 * SECOND_MS, run: () => mails.sendDue() });
  }
}
