import { Global, Module } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { OutgoingMails } from '../../kernel/outgoing-mails.js';
import { Config } from '../config/config.js';
import { PostgresUnitOfWork } from '../database/postgres-unit-of-work.js';
import { SecretKeys } from '../secrets/secret-keys.js';
import { Log } from '../telemetry/log.js';
import { PostgresMailQueue } from './postgres-mail-queue.js';
import { SmtpMailer } from './smtp-mailer.js';

/** Mails to people: invites and sign-up links. */
@Global()
@Module({
  providers: [
    {
      provide: PostgresMailQueue,
      useFactory: (
        work: PostgresUnitOfWork,
        keys: SecretKeys,
        { inviteMail }: Config,
        clock: Clock,
        log: Log,
      ) => new PostgresMailQueue(work, keys, new SmtpMailer(inviteMail), clock, log),
      inject: [PostgresUnitOfWork, SecretKeys, Config, Clock, Log],
    },
    { provide: OutgoingMails, useExisting: PostgresMailQueue },
  ],
  exports: [PostgresMailQueue, OutgoingMails],
})
export class MailModule {}
