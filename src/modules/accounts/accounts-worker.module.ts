import { Module } from '@nestjs/common';
import { Retention } from '../../platform/database/erasure/retention.js';
import { ScheduledTasks } from '../../platform/time/scheduled-tasks.js';
import { AccountsModule } from './accounts.module.js';
import { SignInLinksService } from './sign-in-links.service.js';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const SIGN_IN_LINKS = { table: 'sign_in_links', column: 'expires_at' };
const SIGNUP_LINKS = { table: 'signup_confirmations', column: 'expires_at' };
/** Of the days before. */
const SIGNUP_MAILS = { table: 'signup_mail_counts', column: 'day' };

@Module({ imports: [AccountsModule] })
export class AccountsWorkerModule {
  constructor(tasks: ScheduledTasks, retention: Retention, links: SignInLinksService) {
    const erase = () => retention.deleteExpired(SIGNUP_LINKS, SIGNUP_MAILS);
    tasks.add({ name: 'delete expired sign-up links', everyMs: 15 * MINUTE_MS, run: erase });
    tasks.add({ name: 'send sign-in links', everyMs: 2 * SECOND_MS, run: () => links.sendRequested() });
    const eraseLinks = () => retention.deleteExpired(SIGN_IN_LINKS);
    tasks.add({ name: 'delete expired sign-in links', everyMs: 15 * MINUTE_MS, run: eraseLinks });
  }
}
