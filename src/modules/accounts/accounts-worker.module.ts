import { Module } from '@nestjs/common';
import { ScheduledTasks } from '../../platform/time/scheduled-tasks.js';
import { AccountsModule } from './accounts.module.js';
import { SignupConfirmationsService } from './signup-confirmations.service.js';

const MINUTE_MS = 60_000;

@Module({ imports: [AccountsModule] })
export class AccountsWorkerModule {
  constructor(tasks: ScheduledTasks, confirmations: SignupConfirmationsService) {
    const run = () => confirmations.eraseExpired();
    tasks.add({ name: 'delete expired sign-up links', everyMs: 15 * MINUTE_MS, run });
  }
}
