import { Module } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { PostgresUnitOfWork } from '../../platform/database/postgres-unit-of-work.js';
import { TiersModule } from '../tiers/tiers.module.js';
import { AcceptInviteController } from './accept-invite.controller.js';
import { PostgresInviteRepository } from './adapters/postgres-invite.repository.js';
import { PostgresTeamRepository } from './adapters/postgres-team.repository.js';
import { PostgresUserRepository } from './adapters/postgres-user.repository.js';
import { InviteRepository } from './domain/invite.repository.js';
import { TeamRepository } from './domain/team.repository.js';
import { UserRepository } from './domain/user.repository.js';
import { InviteMailSettings, InviteMailsService } from './invite-mails.service.js';
import { InvitesController } from './invites.controller.js';
import { InvitesService } from './invites.service.js';
import { MembersService } from './members.service.js';
import { TeamsController } from './teams.controller.js';
import { TeamsService } from './teams.service.js';
import { UserErasureService } from './user-erasure.service.js';
import { UsersService } from './users.service.js';

@Module({
  imports: [TiersModule],
  controllers: [TeamsController, InvitesController, AcceptInviteController],
  providers: [
    TeamsService,
    UsersService,
    UserErasureService,
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
      provide: UserRepository,
      useFactory: (work: PostgresUnitOfWork) => new PostgresUserRepository(work),
      inject: [PostgresUnitOfWork],
    },
    {
      provide: InviteMailSettings,
      useFactory: ({ publicUrl }: Config): InviteMailSettings => ({ publicUrl }),
      inject: [Config],
    },
  ],
  exports: [TeamsService, UsersService, UserErasureService, InvitesService],
})
export class TeamsModule {}
