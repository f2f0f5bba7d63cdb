import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import type { TeamId, UserId } from '../../kernel/principal.js';
import { newId } from '../../kernel/ids.js';
import { OutgoingMails, type Mail } from '../../kernel/mail.js';
import { NotFound, RateLimited } from '../../kernel/errors.js';
import { UnitOfWork } from '../../kernel/unit-of-work.js';
import { PublicUrl } from '../../kernel/public-url.js';
import { TeamsService } from '../teams/teams.service.js';
import { UsersService } from '../teams/users.service.js';
import {
  accountExistsMail,
  LINK_MINUTES,
  MAX_PER_USER,
  MAX_REQUESTS_PER_SOURCE,
  SIGN_IN_TOKEN,
  signInMail,
  signInUrl,
  type SignInLink,
} from './domain/sign-in-link.js';
import { SignInLinkRepository } from './domain/sign-in-link.repository.js';
import { SignupConfirmationRepository } from './domain/signup-confirmation.repository.js';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Requests that one unit of work handles. */
const BATCH = 50;

/** A request of a confirmed member of a team. */
interface MemberRequest {
  id: string;
  user: { id: UserId; email: string };
  teamId: TeamId;
  source: string;
  expiresAt: Date;
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
    private readonly service: PublicUrl,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** False: no mail server is configured. */
  get areSent(): boolean {
    return this.mails.areSent;
  }

  /**
   * Requests a link. The limits of a user are applied by the worker: a 429 would reveal that there is
   * such a user, or that others have requested links.
   *
   * @param source the network of the client.
   * @throws NotFound when no mail is sent
   * @throws RateLimited when the source has reached its daily limit
   */
  request(email: string, source: string): Promise<void> {
    if (!this.areSent) throw new NotFound('No mail server is configured.');
    return this.work.run(async () => {
      const now = this.clock.now();
      if (!(await this.counts.countMail(`sign-in from ${source}`, now, MAX_REQUESTS_PER_SOURCE)))
        throw new RateLimited((DAY_MS - (now.getTime() % DAY_MS)) / 1000);
      await this.links.addRequest({ id: newId('sgn'), email, source, expiresAt: expiryOf(now) });
    });
  }

  /** Queues the mails of some requests. @returns the number of requests. */
  sendRequested(): Promise<number> {
    return this.work.run(async () => {
      const requests = await this.links.claimRequests(this.clock.now(), BATCH);
      const ofMembers: MemberRequest[] = [];
      for (const { id, request, expiresAt } of requests) {
        const user = request && (await this.users.confirmed(request.email));
        const [first] = user === null ? [] : await this.teams.ofUser(user.id);
        if (request === null || user === null || first === undefined) await this.links.delete(id);
        else ofMembers.push({ id, user, teamId: first.id, source: request.source, expiresAt });
      }
      // Every worker counts the users in this order, to avoid a deadlock.
      ofMembers.sort((a, b) => (a.user.id < b.user.id ? -1 : 1));
      for (const request of ofMembers) await this.send(request);
      return requests.length;
    });
  }

  /**
   * Sends a link to a confirmed member whose address was used to sign up, in the open unit of work. The
   * caller bounds these mails.
   *
   * @param teamId the mail is dropped with this team.
   */
  async sendToMember(user: { id: UserId; email: string }, teamId: TeamId): Promise<void> {
    const link = newLink(newId('sgn'), user.id, expiryOf(this.clock.now()));
    await this.links.addSent(link);
    await this.queue(link, teamId, (url) => accountExistsMail(user.email, url, link.expiresAt));
  }

  private async send({ id, user, teamId, source, expiresAt }: MemberRequest): Promise<void> {
    const now = this.clock.now();
    const link = (await this.mayGetLink(user.id, source, now))
      ? newLink(id, user.id, expiresAt)
      : await this.linkBeyondLimit(id, user.id, now, expiresAt);
    if (link === null || link.id !== id) await this.links.delete(id);
    if (link === null) return;
    if (link.id === id) await this.links.addSent(link);
    // At most one mail per link waits.
    else await this.mails.cancel([link.id]);
    await this.queue(link, teamId, (url) => signInMail(user.email, url, link.expiresAt));
  }

  /** Counted for the user, not for spellings of the address: other users and strangers do not share the limit. */
  private async mayGetLink(user: UserId, source: string, now: Date): Promise<boolean> {
    const { links, linksFromOneSource } = MAX_PER_USER;
    return (
      (await this.counts.countMail(`sign-in to ${user} from ${source}`, now, linksFromOneSource)) &&
      (await this.counts.countMail(`sign-in to ${user}`, now, links))
    );
  }

  /** The user's valid link, to be sent again, or a new one; null: neither. */
  private async linkBeyondLimit(
    id: string,
    user: UserId,
    now: Date,
    expiresAt: Date,
  ): Promise<SignInLink | null> {
    const { repeats, furtherLinksInAnHour } = MAX_PER_USER;
    const sent = await this.links.findLatestSent(user, now);
    if (sent !== null)
      return (await this.counts.countMail(`sign-in again to ${user}`, now, repeats)) ? sent : null;
    const hour = `sign-in to ${user} in hour ${now.getUTCHours()}`;
    return (await this.counts.countMail(hour, now, furtherLinksInAnHour))
      ? newLink(id, user, expiresAt)
      : null;
  }

  private async queue({ id, token, expiresAt }: SignInLink, teamId: TeamId, mailOf: (url: string) => Mail) {
    const mail = mailOf(signInUrl(this.service.publicUrl, token));
    await this.mails.queue({ id, kind: 'signin', teamId, mail, expiresAt });
  }
}

function newLink(id: string, userId: UserId, expiresAt: Date): SignInLink {
  return { id, userId, token: SIGN_IN_TOKEN.create(), expiresAt };
}

function expiryOf(now: Date): Date {
  return new Date(now.getTime() + LINK_MINUTES * MINUTE_MS);
}
