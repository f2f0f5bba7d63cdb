import { Module } from '@nestjs/common';
import { Retention } from '../../../platform/database/erasure/retention.js';
import { OLD_MAIL_COUNTS } from '../../../platform/mail/postgres-mail-counts.js';
import { ScheduledTasks } from '../../../platform/time/scheduled-tasks.js';
import { AccountsModule } from './accounts.module.js';
import { SignInService } from './sign-in/sign-in.service.js';

const SIGN_IN_LINKS = { table: 'sign_in_links', column: 'expires_at' };
const SIGNUP_LINKS = { table: 'signup_confirmations', column: 'expires_at' };

@Module({ imports: [AccountsModule] })
export class AccountsWorkerModule {
  constructor(tasks: ScheduledTasks, retention: Retention, signIn: SignInService) {
    const deleteExpired = () => retention.deleteExpired(SIGN_IN_LINKS, SIGNUP_LINKS, OLD_MAIL_COUNTS);
    tasks.add(
      { name: 'send sign-in links', everyMs: 2_000, run: () => signIn.sendRequested() },
      { name: 'delete expired links', everyMs: 900_000, run: deleteExpired },
    );
  }
}
