import { Injectable } from '@nestjs/common';
import type { Mode, Principal, TeamId, UserId } from '../../../../kernel/principal.js';
import { UnitOfWork } from '../../../../kernel/unit-of-work.js';
import { ApiKeysService, type IssuedKey } from '../../../identity/api-keys/api-keys.service.js';
import { InvitesService, type Joined } from '../../../identity/teams/invites/invites.service.js';
import type { TeamView } from '../../../identity/teams/team/teams.service.js';
import { UsersService, type User } from '../../../identity/teams/users/users.service.js';
import { SignupRefused } from '../domain/accounts.errors.js';

export interface NewMember extends Joined {
  /** null: already a member. */
  key: IssuedKey | null;
}

export interface SignedUp {
  user: User;
  team: TeamView;
  key: IssuedKey;
}

/** How a person joins a team with an invite. A key belongs to one team, so a new member gets a key of that team. */
@Injectable()
export class JoiningService {
  constructor(
    private readonly invites: InvitesService,
    private readonly users: UsersService,
    private readonly keys: ApiKeysService,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * The user of the caller joins.
   *
   * @throws InvalidInvite, LimitReached when the team has its maximum number of keys
   */
  accept({ userId }: Principal, token: string): Promise<NewMember> {
    return this.work.run(async () => {
      if (userId === null) throw new Error('The route takes no key without a user');
      const joined = await this.invites.accept(token, userId);
      const key = joined.isNew ? await this.firstKey(joined.team.team.id, userId) : null;
      return { ...joined, key };
    });
  }

  /**
   * A new user joins.
   *
   * @throws InvalidInvite, LimitReached; SignupRefused for the address of a confirmed member
   */
  signUp(email: string, token: string): Promise<SignedUp> {
    return this.work.run(async () => {
      // Checked first: without a valid token the response must not depend on whether the address is known.
      await this.invites.read(token);
      const user = await this.newUser(email);
      const { team } = await this.invites.accept(token, user.id);
      return { user, team, key: await this.firstKey(team.team.id, user.id) };
    });
  }

  /** An unconfirmed user. @throws SignupRefused for the address of a confirmed member */
  async newUser(email: string): Promise<User> {
    if ((await this.users.confirmedMember(email)) !== null) throw new SignupRefused();
    return this.users.claim(email);
  }

  firstKey(teamId: TeamId, userId: UserId, mode: Mode = 'live'): Promise<IssuedKey> {
    return this.keys.issue({ teamId, userId, name: `first ${mode} key`, mode });
  }
}
