import { Module } from '@nestjs/common';
import { ScheduledTasks } from '../time/scheduled-tasks.js';
import { PostgresMailQueue } from './postgres-mail-queue.js';

const SECOND_MS = 1_000;

@Module({})
export class MailWorkerModule {
  constructor(tasks: ScheduledTasks, mails: PostgresMailQueue) {
    tasks.add({ name: 'send mails', everyMs: 5 * SECOND_MS, run: () => mails.sendDue() });
  }
}
