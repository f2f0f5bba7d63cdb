import { Module } from '@nestjs/common';
import { Mailer } from '../../kernel/mailer.js';
import { Config } from '../../platform/config/config.js';
import { PostgresUnitOfWork } from '../../platform/database/postgres-unit-of-work.js';
import { SmtpMailer } from '../../platform/mail/smtp-mailer.js';
import { SecretKeys } from '../../platform/secrets/secret-keys.js';
import { describeFault, Log } from '../../platform/telemetry/log.js';
import { TiersModule } from '../tiers/tiers.module.js';
import { AcceptInviteController } from './accept-invite.controller.js';
import { PostgresInviteMailRepository } from './adapters/postgres-invite-mail.repository.js';
import { PostgresInviteRepository } from './adapters/postgres-invite.repository.js';
import { PostgresTeamRepository } from './adapters/postgres-team.repository.js';
import { InviteMailRepository } from './domain/invite-mail.repository.js';
import { InviteRepository } from './domain/invite.repository.js';
import { TeamRepository } from './domain/team.repository.js';
import { InviteMailSettings, InviteMailsService } from './invite-mails.service.js';
import { InvitesController } from './invites.controller.js';
import { InvitesService } from './invites.service.js';
import { MembersService } from './members.service.js';
import { TeamsController } from './teams.controller.js';
import { TeamsService } from './teams.service.js';

@Module({
  imports: [TiersModule],
  controllers: [TeamsController, InvitesController, AcceptInviteController],
  providers: [
    TeamsService,
    MembersService,
    InvitesService,
    InviteMailsService,
    {
      provide: TeamRepository,
      useFactory: (work: PostgresUnitOfWork) => new PostgresTeamRepository(work),
      inject: [PostgresUnitOfWork],
    },
    {
      provide: InviteRepository,
      useFactory: (work: PostgresUnitOfWork) => new PostgresInviteRepository(work),
      inject: [PostgresUnitOfWork],
    },
    {
      provide: InviteMailRepository,
      useFactory: (work: PostgresUnitOfWork, keys: SecretKeys) =>
        new PostgresInviteMailRepository(work, keys),
      inject: [PostgresUnitOfWork, SecretKeys],
    },
    {
      provide: Mailer,
      useFactory: ({ inviteMail }: Config) => new SmtpMailer(inviteMail),
      inject: [Config],
    },
    {
      provide: InviteMailSettings,
      useFactory: ({ publicUrl }: Config, log: Log): InviteMailSettings => ({
        publicUrl,
        onFailure: ({ inviteId, attempts }, error) =>
          log.warn({ invite_id: inviteId, attempts, err: describeFault(error) }, 'invite mail not sent'),
      }),
      inject: [Config, Log],
    },
  ],
  exports: [TeamsService, InvitesService, InviteMailsService],
})
export class TeamsModule {}
