import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import type { TeamId } from '../../kernel/principal.js';
import { OutgoingMails } from '../../kernel/mail.js';
import { RateLimited } from '../../kernel/errors.js';
import { PublicUrl } from '../../kernel/public-url.js';
import { InvalidConfirmation } from './accounts.errors.js';
import {
  CONFIRMATION_DAYS,
  CONFIRMATION_TOKEN,
  confirmationMail,
  mailboxOf,
  MAX_MAILS_PER_SOURCE,
  MAX_MAILS_PER_ADDRESS,
  type SignupConfirmation,
} from './domain/signup-confirmation.js';
import type { Person } from './accounts.service.js';
import { SignInLinksService } from './sign-in-links.service.js';
import { SignupConfirmationRepository } from './domain/signup-confirmation.repository.js';

const DAY_MS = 86_400_000;

/** A sign-up whose address is to be confirmed. */
export interface UnconfirmedSignup {
  user: Pick<Person, 'id' | 'email'>;
  teamId: TeamId;
  /** The confirmed member who has this address; null: nobody. */
  holder: Pick<Person, 'id' | 'email'> | null;
  /** The network of the client. */
  source: string;
}

/** Sends and verifies the links that confirm the address of a sign-up. */
@Injectable()
export class SignupConfirmationsService {
  constructor(
    private readonly confirmations: SignupConfirmationRepository,
    private readonly signInLinks: SignInLinksService,
    private readonly mails: OutgoingMails,
    private readonly service: PublicUrl,
    private readonly clock: Clock,
  ) {}

  /**
   * Sends a link once the open unit of work is committed: one that confirms the address, or one to sign
   * in if a member has confirmed it before. Both cost as many statements.
   *
   * @throws RateLimited when the address or the source has reached its daily limit
   */
  async send({ user, teamId, holder, source }: UnconfirmedSignup): Promise<void> {
    const now = this.clock.now();
    // Always in this order, to avoid a deadlock.
    await this.count(`to ${mailboxOf(user.email)}`, MAX_MAILS_PER_ADDRESS, now);
    await this.count(`from ${source}`, MAX_MAILS_PER_SOURCE, now);
    if (holder !== null) return this.signInLinks.sendToMember(holder, teamId);
    const token = CONFIRMATION_TOKEN.create();
    const tokenDigest = CONFIRMATION_TOKEN.digest(token);
    const expiresAt = new Date(now.getTime() + CONFIRMATION_DAYS * DAY_MS);
    await this.confirmations.add({ userId: user.id, teamId, tokenDigest, expiresAt });
    const link = `${this.service.publicUrl}/signup/confirm#token=${token}`;
    const mail = confirmationMail(user.email, link, expiresAt);
    await this.mails.queue({ id: user.id, kind: 'signup', teamId, mail, expiresAt });
  }

  /** Consumes a link, within the open unit of work. @throws InvalidConfirmation for every invalid token */
  async use(token: string): Promise<SignupConfirmation> {
    const found = CONFIRMATION_TOKEN.matches(token)
      ? await this.confirmations.consume(CONFIRMATION_TOKEN.digest(token), this.clock.now())
      : null;
    if (found === null) throw new InvalidConfirmation();
    await this.mails.cancel([found.userId]);
    return found;
  }

  private async count(subject: string, max: number, now: Date): Promise<void> {
    if (await this.confirmations.countMail(subject, now, max)) return;
    throw new RateLimited((DAY_MS - (now.getTime() % DAY_MS)) / 1000);
  }
}
