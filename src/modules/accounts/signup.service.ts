import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../kernel/audit-log.js';
import { Clock } from '../../kernel/clock.js';
import type { Mode, TeamId, UserId } from '../../kernel/principal.js';
import { NotFound } from '../../kernel/not-found.js';
import { UnitOfWork } from '../../kernel/unit-of-work.js';
import { ApiKeysService, type IssuedKey } from '../api-keys/api-keys.service.js';
import { InvitesService } from '../teams/invites.service.js';
import { TeamsService, type TeamView } from '../teams/teams.service.js';
import { UsersService } from '../teams/users.service.js';
import { SignupRefused } from './accounts.errors.js';
import type { Person } from './accounts.service.js';
import { SignupPolicy } from './domain/signup-policy.js';
import { SignupConfirmationsService } from './signup-confirmations.service.js';

/** A stranger wants in: with a team of their own, or into the one that the token is for. */
export type SignupInput = { email: string } & ({ teamName: string } | { inviteToken: string });

export interface SignedUp {
  user: Person;
  team: TeamView;
  key: IssuedKey;
}

/**
 * Lets strangers in. Nobody shows here that the address they give is theirs, not even with an invite:
 * who made the invite knows its token too. So all of them begin unconfirmed.
 */
@Injectable()
export class SignupService {
  constructor(
    private readonly users: UsersService,
    private readonly teams: TeamsService,
    private readonly invites: InvitesService,
    private readonly keys: ApiKeysService,
    private readonly confirmations: SignupConfirmationsService,
    private readonly policy: SignupPolicy,
    private readonly audit: AuditLog,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * A user with a first key.
   *
   * @param place where it comes from (`placeOf`).
   * @throws NotFound for a team of their own, unless sign-up is open
   * @throws SignupRefused, InvalidInvite, RateLimited
   */
  signUp(wish: SignupInput, place: string): Promise<SignedUp> {
    return this.work.run(async () => {
      const signedUp =
        'teamName' in wish
          ? await this.withTeam(wish.email, wish.teamName, place)
          : await this.invited(wish.email, wish.inviteToken);
      await this.record('account.signed_up', signedUp.user.id, signedUp.team.team.id);
      return signedUp;
    });
  }

  /**
   * The user reads the mail of their address: they are given a live key. Whatever key was shown
   * before ends, since it may have been shown to somebody who gave an address of another.
   *
   * @throws InvalidConfirmation, SignupRefused when the address has become that of another member
   */
  confirm(token: string): Promise<SignedUp> {
    return this.work.run(async () => {
      const { userId, teamId } = await this.confirmations.use(token);
      const user = await this.users.confirm(userId);
      if (user === null) throw new SignupRefused();
      await this.keys.revokeOfMember(teamId, userId, this.clock.now());
      const key = await this.firstKey(teamId, userId, 'live');
      await this.record('account.confirmed', userId, teamId);
      return { user, team: await this.teams.get(teamId, userId), key };
    });
  }

  private async withTeam(email: string, teamName: string, place: string): Promise<SignedUp> {
    const { mode, tier } = this.policy;
    if (mode === 'closed') throw new NotFound('No route has this path.');
    const user = await this.add(email);
    const { id: teamId } = await this.teams.create(user.id, teamName, tier);
    const key = await this.firstKey(teamId, user.id, mode === 'confirm' ? 'test' : 'live');
    if (mode === 'confirm') await this.confirmations.send(user, teamId, place);
    return { user, team: await this.teams.get(teamId, user.id), key };
  }

  private async invited(email: string, token: string): Promise<SignedUp> {
    // First of all: without a good token nobody learns whether an address is known.
    await this.invites.requireValid(token);
    const user = await this.add(email);
    const { team } = await this.invites.accept(token, user.id);
    return { user, team, key: await this.firstKey(team.team.id, user.id, 'live') };
  }

  private async add(email: string): Promise<Person> {
    const user = await this.users.signUp(email);
    if (user === null) throw new SignupRefused();
    return user;
  }

  private firstKey(teamId: TeamId, userId: UserId, mode: Mode): Promise<IssuedKey> {
    return this.keys.issue({ teamId, userId, name: `first ${mode} key`, mode });
  }

  private record(action: string, userId: UserId, teamId: TeamId): Promise<void> {
    return this.audit.record({ action, teamId, target: { type: 'user', id: userId } });
  }
}
