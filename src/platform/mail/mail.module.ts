import { Global, Module } from '@nestjs/common';
import { Mailer, OutgoingMails } from '../../kernel/mail.js';
import { PostgresMailQueue } from './postgres-mail-queue.js';
import { SmtpMailer } from './smtp-mailer.js';

@Global()
@Module({
  providers: [
    { provide: Mailer, useClass: SmtpMailer },
    PostgresMailQueue,
    { provide: OutgoingMails, useExisting: PostgresMailQueue },
  ],
  exports: [PostgresMailQueue, OutgoingMails],
})
export class MailModule {}
