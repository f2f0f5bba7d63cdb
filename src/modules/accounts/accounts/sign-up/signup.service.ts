import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../../../kernel/audit-log.js';
import { Clock } from '../../../../kernel/clock.js';
import { NotFound, RateLimited } from '../../../../kernel/errors.js';
import { type Language, MailCounts, mailboxOf, OutgoingMails } from '../../../../kernel/mail.js';
import type { TeamId, UserId } from '../../../../kernel/principal.js';
import { UnitOfWork } from '../../../../kernel/unit-of-work.js';
import { Config } from '../../../../platform/config/config.js';
import { ApiKeysService } from '../../../identity/api-keys/api-keys.service.js';
import { TeamsService } from '../../../identity/teams/team/teams.service.js';
import { UsersService, type User } from '../../../identity/teams/users/users.service.js';
import { InvalidConfirmation, SignupRefused } from '../domain/accounts.errors.js';
import {
  CONFIRMATION_DAYS,
  CONFIRMATION_TOKEN,
  confirmationMail,
  MAX_MAILS_PER_SOURCE,
  MAX_MAILS_PER_ADDRESS,
} from '../domain/signup-confirmation.js';
import { SignupConfirmationRepository } from '../domain/signup-confirmation.repository.js';
import { JoiningService, type SignedUp } from '../invites/joining.service.js';
import { SignInService } from '../sign-in/sign-in.service.js';
import { DAY_MS } from '../../../../kernel/durations.js';

const MAILS_A_DAY =
  'As many links as are allowed in a day were sent for this address, or requested by this network.';

/** A sign-up: with a new team, or with an invite. */
export type SignupInput = { email: string; language: Language } & (
  { teamName: string } | { inviteToken: string }
);

/**
 * Sign-up of new users. Neither a sign-up nor an invite proves that the address belongs to the user:
 * the creator of the invite has its token too. So all users start unconfirmed.
 */
@Injectable()
export class SignupService {
  constructor(
    private readonly users: UsersService,
    private readonly teams: TeamsService,
    private readonly joining: JoiningService,
    private readonly keys: ApiKeysService,
    private readonly confirmations: SignupConfirmationRepository,
    private readonly signIn: SignInService,
    private readonly mails: OutgoingMails,
    private readonly mailCounts: MailCounts,
    private readonly config: Config,
    private readonly audit: AuditLog,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  get mode(): Config['signup']['mode'] {
    return this.config.signup.mode;
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
          ? await this.withTeam(input, source)
          : await this.joining.signUp(input.email, input.inviteToken);
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
      const key = await this.joining.firstKey(teamId, userId);
      await this.record('account.confirmed', userId, teamId);
      return { user, team: await this.teams.get(teamId, userId), key };
    });
  }

  private async withTeam(
    { email, language, teamName }: SignupInput & { teamName: string },
    source: string,
  ): Promise<SignedUp> {
    const { mode } = this.config.signup;
    if (mode === 'closed')
      throw new NotFound('Sign-up is closed here. A sign-up with an invite_token is possible.');
    // The response to a sign-up that is to be confirmed does not show who has an account; the mail does.
    const user = await (mode === 'confirm' ? this.users.claim(email) : this.joining.newUser(email));
    const { id: teamId } = await this.teams.create(user.id, teamName, this.config.defaultTier);
    const key = await this.joining.firstKey(teamId, user.id, mode === 'confirm' ? 'test' : 'live');
    if (mode === 'confirm') await this.sendConfirmation(user, teamId, source, language);
    return { user, team: await this.teams.get(teamId, user.id), key };
  }

  /**
   * Sends a link once the open unit of work is committed: one that confirms the address, or one to sign
   * in if a member has confirmed it before. Both cost as many statements.
   *
   * @throws RateLimited when the address or the source has reached its daily limit
   */
  private async sendConfirmation(
    { id, email }: User,
    teamId: TeamId,
    source: string,
    language: Language,
  ): Promise<void> {
    const holder = await this.users.confirmedMember(email);
    const now = this.clock.now();
    // Always in this order, to avoid a deadlock.
    await this.countMail(`to ${mailboxOf(email)}`, MAX_MAILS_PER_ADDRESS, now);
    await this.countMail(`from ${source}`, MAX_MAILS_PER_SOURCE, now);
    if (holder !== null) return this.signIn.sendToMember(holder, teamId, language);
    const token = CONFIRMATION_TOKEN.create();
    const tokenDigest = CONFIRMATION_TOKEN.digest(token);
    const expiresAt = new Date(now.getTime() + CONFIRMATION_DAYS * DAY_MS);
    await this.confirmations.add({ userId: id, teamId, tokenDigest, expiresAt });
    const link = `${this.config.publicUrl}/console#confirm=${token}`;
    const mail = confirmationMail[language](this.mails.brand, email, link, expiresAt);
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

  private record(action: string, userId: UserId, teamId: TeamId): Promise<void> {
    return this.audit.record({ action, teamId, target: { type: 'user', id: userId } });
  }
}
