import { Global, Module } from '@nestjs/common';
import { MailCounts, Mailer, OutgoingMails } from '../../kernel/mail.js';
import { PostgresMailCounts } from './postgres-mail-counts.js';
import { PostgresMailQueue } from './postgres-mail-queue.js';
import { SmtpMailer } from './smtp-mailer.js';

@Global()
@Module({
  providers: [
    { provide: Mailer, useClass: SmtpMailer },
    PostgresMailQueue,
    { provide: OutgoingMails, useExisting: PostgresMailQueue },
    { provide: MailCounts, useClass: PostgresMailCounts },
  ],
  exports: [PostgresMailQueue, OutgoingMails, MailCounts],
})
export class MailModule {}
