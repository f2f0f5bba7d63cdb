import { Module, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { TiersModule } from '../tiers/tiers.module.js';
import { TiersService } from '../tiers/tiers.service.js';
import { PostgresInviteRepository } from './adapters/postgres-invite.repository.js';
import { PostgresTeamRepository } from './adapters/postgres-team.repository.js';
import { PostgresUserRepository } from './adapters/postgres-user.repository.js';
import { requireKnownTiers } from './adapters/tiers-in-use.js';
import { InviteRepository } from './domain/invite.repository.js';
import { TeamRepository } from './domain/team.repository.js';
import { UserRepository } from './domain/user.repository.js';
import { InviteOffersController } from './invites/invite-offers.controller.js';
import { InvitesController } from './invites/invites.controller.js';
import { InvitesService } from './invites/invites.service.js';
import { MailboxOwnersService } from './users/mailbox-owners.service.js';
import { MembersService } from './members/members.service.js';
import { TeamsController } from './teams.controller.js';
import { TeamsService } from './team/teams.service.js';
import { UserErasureService } from './users/user-erasure.service.js';
import { UsersService } from './users/users.service.js';

@Module({
  imports: [TiersModule],
  controllers: [TeamsController, InvitesController, InviteOffersController],
  providers: [
    TeamsService,
    UsersService,
    UserErasureService,
    MailboxOwnersService,
    MembersService,
    InvitesService,
    { provide: TeamRepository, useClass: PostgresTeamRepository },
    { provide: InviteRepository, useClass: PostgresInviteRepository },
    { provide: UserRepository, useClass: PostgresUserRepository },
  ],
  exports: [TeamsService, UsersService, UserErasureService, MailboxOwnersService, InvitesService],
})
export class TeamsModule implements OnModuleInit {
  constructor(
    private readonly tiers: TiersService,
    private readonly dataSource: DataSource,
  ) {}

  /** @throws ConfigError when a team has a tier that the table lacks. */
  async onModuleInit(): Promise<void> {
    // Where no database is open there are no teams.
    if (this.dataSource.isInitialized) await requireKnownTiers(this.dataSource, this.tiers.names());
  }
}
