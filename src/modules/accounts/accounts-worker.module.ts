import { Module } from '@nestjs/common';
import { ScheduledTasks } from '../../platform/time/scheduled-tasks.js';
import { AccountsModule } from './accounts.module.js';
import { SignInLinksService } from './sign-in-links.service.js';
import { SignupConfirmationsService } from './signup-confirmations.service.js';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

@Module({ imports: [AccountsModule] })
export class AccountsWorkerModule {
  constructor(tasks: ScheduledTasks, confirmations: SignupConfirmationsService, links: SignInLinksService) {
    const run = () => confirmations.eraseExpired();
    tasks.add({ name: 'delete expired sign-up links', everyMs: 15 * MINUTE_MS, run });
    tasks.add({ name: 'send sign-in links', everyMs: 2 * SECOND_MS, run: () => links.sendRequested() });
    const erase = () => links.eraseExpired();
    tasks.add({ name: 'delete expired sign-in links', everyMs: 15 * MINUTE_MS, run: erase });
  }
}
