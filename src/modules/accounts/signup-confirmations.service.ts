import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import type { TeamId } from '../../kernel/principal.js';
import { OutgoingMails } from '../../kernel/outgoing-mails.js';
import { RateLimited } from '../../kernel/rate-limited.js';
import { InvalidConfirmation } from './accounts.errors.js';
import {
  CONFIRMATION_DAYS,
  CONFIRMATION_TOKEN,
  confirmationMail,
  mailboxOf,
  MOST_MAILS_FROM_ONE_PLACE,
  MOST_MAILS_TO_ONE_ADDRESS,
  type SignupConfirmation,
} from './domain/signup-confirmation.js';
import { SignupConfirmationRepository } from './domain/signup-confirmation.repository.js';

const DAY_MS = 86_400_000;

/** What whoever wires it knows of the links. */
export abstract class SignupConfirmationSettings {
  /** The service's address as callers see it. */
  abstract readonly publicUrl: string;
}

/** Links that are sent to who signs up, and show that the address is theirs. */
@Injectable()
export class SignupConfirmationsService {
  constructor(
    private readonly confirmations: SignupConfirmationRepository,
    private readonly mails: OutgoingMails,
    private readonly settings: SignupConfirmationSettings,
    private readonly clock: Clock,
  ) {}

  /**
   * Sends a link, once the open unit of work is committed.
   *
   * @param place where the sign-up comes from (`placeOf`).
   * @throws RateLimited when this address, or this place, has had as many as a day may have
   */
  async send(user: { id: string; email: string }, teamId: TeamId, place: string): Promise<void> {
    const now = this.clock.now();
    // In this order for everybody, so that two who wait for each other's count cannot be.
    await this.count(`to ${mailboxOf(user.email)}`, MOST_MAILS_TO_ONE_ADDRESS, now);
    await this.count(`from ${place}`, MOST_MAILS_FROM_ONE_PLACE, now);
    const token = CONFIRMATION_TOKEN.create();
    const tokenDigest = CONFIRMATION_TOKEN.digest(token);
    const expiresAt = new Date(now.getTime() + CONFIRMATION_DAYS * DAY_MS);
    await this.confirmations.add({ userId: user.id, teamId, tokenDigest, expiresAt });
    const link = `${this.settings.publicUrl}/signup/confirm?token=${token}`;
    const mail = confirmationMail(user.email, link, expiresAt);
    await this.mails.queue({ id: user.id, kind: 'signup', teamId, mail, expiresAt });
  }

  /** Uses a link up, in the open unit of work. @throws InvalidConfirmation for every token that is not good */
  async use(token: string): Promise<SignupConfirmation> {
    const found = CONFIRMATION_TOKEN.matches(token)
      ? await this.confirmations.take(CONFIRMATION_TOKEN.digest(token), this.clock.now())
      : null;
    if (found === null) throw new InvalidConfirmation();
    await this.mails.cancel([found.userId]);
    return found;
  }

  /** @returns how many rows were erased. */
  eraseExpired(): Promise<number> {
    return this.confirmations.eraseExpired(this.clock.now());
  }

  private async count(subject: string, most: number, now: Date): Promise<void> {
    if (await this.confirmations.countMail(subject, now, most)) return;
    throw new RateLimited((DAY_MS - (now.getTime() % DAY_MS)) / 1000);
  }
}
