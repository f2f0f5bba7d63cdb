import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../kernel/audit-log.js';
import { Clock } from '../../kernel/clock.js';
import { NotFound, RateLimited } from '../../kernel/errors.js';
import { MailCounts, mailboxOf, OutgoingMails } from '../../kernel/mail.js';
import type { Mode, TeamId, UserId } from '../../kernel/principal.js';
import { PublicUrl } from '../../kernel/public-url.js';
import { UnitOfWork } from '../../kernel/unit-of-work.js';
import { ApiKeysService, type IssuedKey } from '../api-keys/api-keys.service.js';
import { InvitesService } from '../teams/invites.service.js';
import { TeamsService, type TeamView } from '../teams/teams.service.js';
import { UsersService, type User } from '../teams/users.service.js';
import { AccountSettings, type SignupMode } from './domain/account-settings.js';
import { InvalidConfirmation, SignupRefused } from './accounts.errors.js';
import {
  CONFIRMATION_DAYS,
  CONFIRMATION_TOKEN,
  confirmationMail,
  MAX_MAILS_PER_SOURCE,
  MAX_MAILS_PER_ADDRESS,
} from './domain/signup-confirmation.js';
import { SignupConfirmationRepository } from './domain/signup-confirmation.repository.js';
import { SignInService } from './sign-in.service.js';

const DAY_MS = 86_400_000;
const MAILS_A_DAY =
  'As many links as are allowed in a day were sent for this address, or requested by this network.';

/** A sign-up: with a new team, or with an invite. */
export type SignupInput = { email: string } & ({ teamName: string } | { inviteToken: string });

export interface SignedUp {
  user: User;
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
    private readonly confirmations: SignupConfirmationRepository,
    private readonly signIn: SignInService,
    private readonly mails: OutgoingMails,
    private readonly mailCounts: MailCounts,
    private readonly settings: AccountSettings,
    private readonly service: PublicUrl,
    private readonly audit: AuditLog,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  get mode(): SignupMode {
    return this.settings.signup.mode;
  }

  /**
   * Creates a user with a first key.
   *
   * @param source the network of the client.
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
      const { userId, teamId } = await this.useConfirmation(token);
      const user = await this.users.confirm(userId);
      if (user === null) throw new SignupRefused();
      await this.keys.revokeOfMember(teamId, userId, this.clock.now());
      const key = await this.firstKey(teamId, userId, 'live');
      await this.record('account.confirmed', userId, teamId);
      return { user, team: await this.teams.get(teamId, userId), key };
    });
  }

  private async withTeam(email: string, teamName: string, source: string): Promise<SignedUp> {
    const { mode } = this.settings.signup;
    if (mode === 'closed')
      throw new NotFound('Sign-up is closed here. A sign-up with an invite_token is possible.');
    // The response to a sign-up that is to be confirmed does not show who has an account; the mail does.
    const user = mode === 'confirm' ? await this.users.claim(email) : await this.add(email);
    const { id: teamId } = await this.teams.create(user.id, teamName, this.settings.defaultTier);
    const key = await this.firstKey(teamId, user.id, mode === 'confirm' ? 'test' : 'live');
    if (mode === 'confirm') await this.sendConfirmation(user, teamId, source);
    return { user, team: await this.teams.get(teamId, user.id), key };
  }

  /**
   * Sends a link once the open unit of work is committed: one that confirms the address, or one to sign
   * in if a member has confirmed it before. Both cost as many statements.
   *
   * @throws RateLimited when the address or the source has reached its daily limit
   */
  private async sendConfirmation({ id, email }: User, teamId: TeamId, source: string): Promise<void> {
    const holder = await this.users.confirmedMember(email);
    const now = this.clock.now();
    // Always in this order, to avoid a deadlock.
    await this.countMail(`to ${mailboxOf(email)}`, MAX_MAILS_PER_ADDRESS, now);
    await this.countMail(`from ${source}`, MAX_MAILS_PER_SOURCE, now);
    if (holder !== null) return this.signIn.sendToMember(holder, teamId);
    const token = CONFIRMATION_TOKEN.create();
    const tokenDigest = CONFIRMATION_TOKEN.digest(token);
    const expiresAt = new Date(now.getTime() + CONFIRMATION_DAYS * DAY_MS);
    await this.confirmations.add({ userId: id, teamId, tokenDigest, expiresAt });
    const link = `${this.service.publicUrl}/signup/confirm#token=${token}`;
    const mail = confirmationMail(this.mails.brand, email, link, expiresAt);
    await this.mails.queue({ id, kind: 'signup', teamId, mail, expiresAt });
  }

  /** Within the open unit of work. @throws InvalidConfirmation for every invalid token */
  private async useConfirmation(token: string): Promise<{ userId: UserId; teamId: TeamId }> {
    const found = CONFIRMATION_TOKEN.matches(token)
      ? await this.confirmations.consume(CONFIRMATION_TOKEN.digest(token), this.clock.now())
      : null;
    if (found === null) throw new InvalidConfirmation();
    await this.mails.cancel([found.userId]);
    return found;
  }

  private async countMail(subject: string, max: number, now: Date): Promise<void> {
    if (await this.mailCounts.count(subject, now, max)) return;
    throw new RateLimited((DAY_MS - (now.getTime() % DAY_MS)) / 1000, MAILS_A_DAY);
  }

  private async invited(email: string, token: string): Promise<SignedUp> {
    // Checked first: without a valid token the response must not depend on whether the address is
    // known.
    await this.invites.requireValid(token);
    const user = await this.add(email);
    const { team } = await this.invites.accept(token, user.id);
    return { user, team, key: await this.firstKey(team.team.id, user.id, 'live') };
  }

  private async add(email: string): Promise<User> {
    if ((await this.users.confirmedMember(email)) !== null) throw new SignupRefused();
    return this.users.claim(email);
  }

  private firstKey(teamId: TeamId, userId: UserId, mode: Mode): Promise<IssuedKey> {
    return this.keys.issue({ teamId, userId, name: `first ${mode} key`, mode });
  }

  private record(action: string, userId: UserId, teamId: TeamId): Promise<void> {
    return this.audit.record({ action, teamId, target: { type: 'user', id: userId } });
  }
}
