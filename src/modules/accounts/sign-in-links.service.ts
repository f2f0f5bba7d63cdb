import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { newId } from '../../kernel/ids.js';
import { NotFound } from '../../kernel/not-found.js';
import { OutgoingMails } from '../../kernel/outgoing-mails.js';
import { RateLimited } from '../../kernel/rate-limited.js';
import { UnitOfWork } from '../../kernel/unit-of-work.js';
import { TeamsService } from '../teams/teams.service.js';
import { UsersService } from '../teams/users.service.js';
import {
  LINK_MINUTES,
  MAX_LINKS_PER_ADDRESS,
  MAX_LINKS_PER_SOURCE,
  SIGN_IN_TOKEN,
  signInMail,
  type SignInRequest,
} from './domain/sign-in-link.js';
import { SignInLinkRepository } from './domain/sign-in-link.repository.js';
import { mailboxOf } from './domain/signup-confirmation.js';
import { SignupConfirmationRepository } from './domain/signup-confirmation.repository.js';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Requests that one unit of work answers. */
const BATCH = 50;

/** Provided by the module. */
export abstract class SignInLinkSettings {
  /** The public URL of the service. */
  abstract readonly publicUrl: string;
}

/**
 * Requests for sign-in links. A request only stores the encrypted address; a worker looks the address up
 * and sends the link. So neither the response nor its duration depends on whether the address belongs to
 * a user.
 */
@Injectable()
export class SignInLinksService {
  constructor(
    private readonly links: SignInLinkRepository,
    private readonly counts: SignupConfirmationRepository,
    private readonly users: UsersService,
    private readonly teams: TeamsService,
    private readonly mails: OutgoingMails,
    private readonly settings: SignInLinkSettings,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** False: no mail server is configured. */
  get areSent(): boolean {
    return this.mails.areSent;
  }

  /**
   * Requests a link. Over the limit of the address nothing is sent, and the response is the same: a 429
   * would reveal that others have requested links for it.
   *
   * @param source the network of the client.
   * @throws NotFound when no mail is sent
   * @throws RateLimited when the source has reached its daily limit
   */
  request(email: string, source: string): Promise<void> {
    if (!this.areSent) throw new NotFound('No mail server is configured.');
    return this.work.run(async () => {
      const now = this.clock.now();
      // Always in this order, to avoid a deadlock.
      const isSent = await this.counts.countMail(
        `sign-in to ${mailboxOf(email)}`,
        now,
        MAX_LINKS_PER_ADDRESS,
      );
      if (!(await this.counts.countMail(`sign-in from ${source}`, now, MAX_LINKS_PER_SOURCE)))
        throw new RateLimited((DAY_MS - (now.getTime() % DAY_MS)) / 1000);
      const expiresAt = new Date(now.getTime() + LINK_MINUTES * MINUTE_MS);
      if (isSent) await this.links.addRequest({ id: newId('sgn'), email, expiresAt });
    });
  }

  /** Queues the mails of some requests. @returns the number of requests. */
  sendRequested(): Promise<number> {
    return this.work.run(async () => {
      const requests = await this.links.claimRequests(this.clock.now(), BATCH);
      for (const { id, email, expiresAt } of requests)
        if (email === null || !(await this.send({ id, email, expiresAt }))) await this.links.remove(id);
      return requests.length;
    });
  }

  /** @returns the number of deleted rows. */
  eraseExpired(): Promise<number> {
    return this.links.eraseExpired(this.clock.now());
  }

  /** @returns false: the address belongs to no confirmed member of a team. */
  private async send({ id, email, expiresAt }: SignInRequest): Promise<boolean> {
    const user = await this.users.confirmed(email);
    const [first] = user === null ? [] : await this.teams.ofUser(user.id);
    if (user === null || first === undefined) return false;
    const token = SIGN_IN_TOKEN.create();
    await this.links.markSent({ id, userId: user.id, tokenDigest: SIGN_IN_TOKEN.digest(token) });
    // In the fragment, which is not sent to the service: programs that check links do not use it up.
    const link = `${this.settings.publicUrl}/console#sign-in=${token}`;
    const mail = signInMail(user.email, link, expiresAt);
    await this.mails.queue({ id, kind: 'signin', teamId: first.id, mail, expiresAt });
    return true;
  }
}
