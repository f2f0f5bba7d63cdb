import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../kernel/audit-log.js';
import { Clock } from '../../kernel/clock.js';
import { InvalidRequest } from '../../kernel/errors.js';
import { OutgoingMails } from '../../kernel/mail.js';
import type { TeamId, UserId } from '../../kernel/principal.js';
import { UnitOfWork } from '../../kernel/unit-of-work.js';
import { ApiKeysService, type IssuedKey } from '../api-keys/api-keys.service.js';
import { TeamsService, type TeamOfUser } from '../teams/teams.service.js';
import { UsersService } from '../teams/users.service.js';
import { InvalidSignInLink } from './accounts.errors.js';
import type { Person } from './accounts.service.js';
import { SIGN_IN_KEY, SIGN_IN_TOKEN } from './domain/sign-in-link.js';
import { SignInLinkRepository } from './domain/sign-in-link.repository.js';

const HOUR_MS = 3_600_000;

export interface SignedIn {
  user: Person;
  /** The user's teams. */
  teams: readonly TeamOfUser[];
  /** null: the user has several teams and has not chosen one. The link stays valid. */
  key: IssuedKey | null;
}

/** Sign-in with a link that was sent by mail. */
@Injectable()
export class SignInService {
  constructor(
    private readonly links: SignInLinkRepository,
    private readonly users: UsersService,
    private readonly teams: TeamsService,
    private readonly keys: ApiKeysService,
    private readonly mails: OutgoingMails,
    private readonly audit: AuditLog,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Issues a personal key for the team, or for the user's only team, and uses up the user's links.
   *
   * @throws InvalidSignInLink for every invalid token
   * @throws InvalidRequest when the user is not a member of the team
   * @throws LimitReached when the team has its maximum number of keys; the link stays valid
   */
  confirm(token: string, chosen: TeamId | null): Promise<SignedIn> {
    return this.work.run(async () => {
      const digest = SIGN_IN_TOKEN.digest(token);
      const user = SIGN_IN_TOKEN.matches(token) ? await this.userOf(digest) : null;
      const teams = user === null ? [] : await this.teams.ofUser(user.id);
      if (user === null || teams.length === 0) throw new InvalidSignInLink();
      if (chosen === null && teams.length > 1) return { user, teams, key: null };
      const team = chosen === null ? teams[0] : teams.find(({ id }) => id === chosen);
      if (team === undefined) throw notOneOf();
      return { user, teams, key: await this.issue(digest, user.id, team.id) };
    });
  }

  private async userOf(digest: Buffer): Promise<Person | null> {
    const id = await this.links.findUser(digest, this.clock.now());
    const user = id === null ? null : await this.users.get(id);
    return (user?.confirmedAt ?? null) === null ? null : user;
  }

  private async issue(digest: Buffer, userId: UserId, teamId: TeamId): Promise<IssuedKey> {
    // Before the links: deletion of the team locks in this order.
    await this.teams.lock(teamId);
    const used = await this.links.use(digest, userId);
    if (used === null) throw new InvalidSignInLink();
    await this.mails.cancel(used);
    const { name, hours } = SIGN_IN_KEY;
    const expiresAt = new Date(this.clock.now().getTime() + hours * HOUR_MS);
    const key = await this.keys.issue({ teamId, userId, name, mode: 'live', expiresAt });
    await this.audit.record({ action: 'account.signed_in', teamId, target: { type: 'user', id: userId } });
    return key;
  }
}

function notOneOf(): InvalidRequest {
  const message = 'Send the id of one of the teams in the response.';
  return new InvalidRequest([{ pointer: '/team_id', code: 'invalid_value', message }]);
}
