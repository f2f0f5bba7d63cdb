import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../kernel/audit-log.js';
import { Clock } from '../../kernel/clock.js';
import type { Mode, TeamId, UserId } from '../../kernel/principal.js';
import { NotFound } from '../../kernel/errors.js';
import { UnitOfWork } from '../../kernel/unit-of-work.js';
import { ApiKeysService, type IssuedKey } from '../api-keys/api-keys.service.js';
import { InvitesService } from '../teams/invites.service.js';
import { TeamsService, type TeamView } from '../teams/teams.service.js';
import { UsersService } from '../teams/users.service.js';
import { SignupRefused } from './accounts.errors.js';
import type { Person } from './accounts.service.js';
import { SignupPolicy } from './domain/signup-policy.js';
import { SignupConfirmationsService } from './signup-confirmations.service.js';

/** A sign-up: with a new team, or with an invite. */
export type SignupInput = { email: string } & ({ teamName: string } | { inviteToken: string });

export interface SignedUp {
  user: Person;
  team: TeamView;
  key: IssuedKey;
}

/**
 * Sign-up of new users. Neither a sign-up nor an invite proves that the address belongs to the user:
 * the creator of the invite has its token too. So all users start unconfirmed.
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
   * Creates a user with a first key.
   *
   * @param source the source (`placeOf`).
   * @throws NotFound for a new team, unless sign-up is open
   * @throws SignupRefused for the address of a confirmed member, unless it is to be confirmed by mail
   * @throws InvalidInvite, RateLimited
   */
  signUp(input: SignupInput, source: string): Promise<SignedUp> {
    return this.work.run(async () => {
      const signedUp =
        'teamName' in input
          ? await this.withTeam(input.email, input.teamName, source)
          : await this.invited(input.email, input.inviteToken);
      await this.record('account.signed_up', signedUp.user.id, signedUp.team.team.id);
      return signedUp;
    });
  }

  /**
   * Confirms the user's address and issues a live key. Earlier keys are revoked: they may have been
   * shown to a person who does not own the address.
   *
   * @throws InvalidConfirmation, SignupRefused when the address now belongs to another member
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

  private async withTeam(email: string, teamName: string, source: string): Promise<SignedUp> {
    const { mode, tier } = this.policy;
    if (mode === 'closed')
      throw new NotFound('Sign-up is closed here. A sign-up with an invite_token is possible.');
    // The response to a sign-up that is to be confirmed does not show who has an account; the mail does.
    const user = mode === 'confirm' ? await this.users.claim(email) : await this.add(email);
    const { id: teamId } = await this.teams.create(user.id, teamName, tier);
    const key = await this.firstKey(teamId, user.id, mode === 'confirm' ? 'test' : 'live');
    if (mode === 'confirm') {
      const holder = await this.users.confirmedMember(email);
      await this.confirmations.send({ user, teamId, holder, source });
    }
    return { user, team: await this.teams.get(teamId, user.id), key };
  }

  private async invited(email: string, token: string): Promise<SignedUp> {
    // Checked first: without a valid token the response must not depend on whether the address is
    // known.
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
