import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../../../kernel/audit-log.js';
import { Clock } from '../../../../kernel/clock.js';
import { InvalidRequest, NotFound, RateLimited } from '../../../../kernel/errors.js';
import { newId } from '../../../../kernel/ids.js';
import { type Language, type Mail, MailCounts, mailboxOf, OutgoingMails } from '../../../../kernel/mail.js';
import type { TeamId, UserId } from '../../../../kernel/principal.js';
import { UnitOfWork } from '../../../../kernel/unit-of-work.js';
import { Config } from '../../../../platform/config/config.js';
import { ApiKeysService, type IssuedKey } from '../../../identity/api-keys/api-keys.service.js';
import { MailboxOwnersService } from '../../../identity/teams/users/mailbox-owners.service.js';
import { TeamsService, type TeamOfUser } from '../../../identity/teams/team/teams.service.js';
import type { User } from '../../../identity/teams/users/users.service.js';
import { InvalidSignInLink } from '../domain/accounts.errors.js';
import {
  accountExistsMail,
  LINK_MINUTES,
  MAX_FIRST_LINKS,
  MAX_PER_USER,
  MAX_REQUESTS_PER_SOURCE,
  SIGN_IN_KEY,
  SIGN_IN_TOKEN,
  signInMail,
  signInUrl,
  type SignInLink,
} from '../domain/sign-in-link.js';
import { SignInLinkRepository } from '../domain/sign-in-link.repository.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../kernel/durations.js';

/** Requests that one unit of work handles. */
const BATCH = 50;
const LINKS_A_DAY = 'The network of this client has requested as many links as are allowed in a day.';

interface MemberRequest {
  id: string;
  user: User;
  teamId: TeamId;
  source: string;
  language: Language;
  expiresAt: Date;
}

export interface SignedIn {
  user: User;
  teams: readonly TeamOfUser[];
  /** null: the user has several teams and has not chosen one. The link stays valid. */
  key: IssuedKey | null;
}

/**
 * Sign-in with a link that is sent by mail. A request only stores the encrypted address; a worker looks the address up
 * and sends the link. So neither the response nor its duration depends on whether the address belongs to
 * a user.
 */
@Injectable()
export class SignInService {
  constructor(
    private readonly links: SignInLinkRepository,
    private readonly counts: MailCounts,
    private readonly owners: MailboxOwnersService,
    private readonly teams: TeamsService,
    private readonly keys: ApiKeysService,
    private readonly mails: OutgoingMails,
    private readonly audit: AuditLog,
    private readonly config: Config,
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
  request(email: string, language: Language, source: string): Promise<void> {
    if (!this.areSent) throw new NotFound('No mail server is configured.');
    return this.work.run(async () => {
      const now = this.clock.now();
      if (!(await this.counts.count(`sign-in from ${source}`, now, MAX_REQUESTS_PER_SOURCE)))
        throw new RateLimited((DAY_MS - (now.getTime() % DAY_MS)) / 1000, LINKS_A_DAY);
      const expiresAt = expiryOf(now);
      await this.links.addRequest({ id: newId('sgn'), email, language, source, expiresAt });
    });
  }

  /** Queues the mails of some requests. @returns the number of requests. */
  sendRequested(): Promise<number> {
    return this.work.run(async () => {
      const requests = await this.links.claimRequests(this.clock.now(), BATCH);
      const ofMembers: MemberRequest[] = [];
      for (const { id, request, expiresAt } of requests) {
        const user = request && (await this.owners.find(request.email));
        const [first] = user === null ? [] : await this.teams.ofUser(user.id);
        if (request === null || user === null || first === undefined) await this.links.delete(id);
        else ofMembers.push({ ...request, id, user, teamId: first.id, expiresAt });
      }
      // Every worker counts mailboxes and users in this order, to avoid a deadlock.
      ofMembers.sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
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
  async sendToMember(user: User, teamId: TeamId, language: Language): Promise<void> {
    const link = newLink(newId('sgn'), user.id, expiryOf(this.clock.now()));
    await this.links.addSent(link);
    await this.queue(link, teamId, (url) =>
      accountExistsMail[language](this.mails.brand, user.email, url, link.expiresAt),
    );
  }

  /**
   * Issues a personal key for the team, or for the user's only team, and uses up the user's links.
   *
   * @throws InvalidSignInLink for every invalid token
   * @throws InvalidRequest when the user is not a member of the team
   */
  confirm(token: string, chosen: TeamId | null): Promise<SignedIn> {
    return this.work.run(async () => {
      const digest = SIGN_IN_TOKEN.digest(token);
      const user = SIGN_IN_TOKEN.matches(token) ? await this.ownerOf(digest) : null;
      const teams = user === null ? [] : await this.teams.ofUser(user.id);
      if (user === null || teams.length === 0) throw new InvalidSignInLink();
      if (chosen === null && teams.length > 1) return { user, teams, key: null };
      const team = chosen === null ? teams[0] : teams.find(({ id }) => id === chosen);
      if (team === undefined) throw notOneOf();
      return { user, teams, key: await this.issue(digest, user.id, team.id) };
    });
  }

  private async send({ id, user, teamId, source, language, expiresAt }: MemberRequest): Promise<void> {
    const now = this.clock.now();
    if (!(await this.mayGetMail(user, now))) return this.links.delete(id);
    const link = (await this.mayGetLink(user.id, source, now))
      ? newLink(id, user.id, expiresAt)
      : await this.linkBeyondLimit(id, user.id, now, expiresAt);
    if (link === null || link.id !== id) await this.links.delete(id);
    if (link === null) return;
    if (link.id === id) await this.links.addSent(link);
    // At most one mail per link waits.
    else await this.mails.cancel([link.id]);
    await this.queue(link, teamId, (url) =>
      signInMail[language](this.mails.brand, user.email, url, link.expiresAt),
    );
  }

  /**
   * The mailbox of an unconfirmed user may be that of somebody else, and one can have many such users: few mails are sent
   * to it, as for a sign-up.
   */
  private async mayGetMail({ email, confirmedAt }: User, now: Date): Promise<boolean> {
    if (confirmedAt !== null) return true;
    return this.counts.count(`first sign-in to ${mailboxOf(email)}`, now, MAX_FIRST_LINKS);
  }

  /** Counted for the user, not for spellings of the address: other users and strangers do not share the limit. */
  private async mayGetLink(user: UserId, source: string, now: Date): Promise<boolean> {
    const { links, linksFromOneSource } = MAX_PER_USER;
    return (
      (await this.counts.count(`sign-in to ${user} from ${source}`, now, linksFromOneSource)) &&
      (await this.counts.count(`sign-in to ${user}`, now, links))
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
      return (await this.counts.count(`sign-in again to ${user}`, now, repeats)) ? sent : null;
    const hour = `sign-in to ${user} in hour ${now.getUTCHours()}`;
    return (await this.counts.count(hour, now, furtherLinksInAnHour)) ? newLink(id, user, expiresAt) : null;
  }

  private async queue({ id, token, expiresAt }: SignInLink, teamId: TeamId, mailOf: (url: string) => Mail) {
    const mail = mailOf(signInUrl(this.config.publicUrl, token));
    await this.mails.queue({ id, kind: 'signin', teamId, mail, expiresAt });
  }

  /** The user of a link, whose mailbox it confirms. The keys from before that are revoked: somebody else may have them. */
  private async ownerOf(digest: Buffer): Promise<User | null> {
    const now = this.clock.now();
    const id = await this.links.findUser(digest, now);
    const owner = id === null ? null : await this.owners.confirm(id);
    if (owner === null) return null;
    for (const { teamId, userId } of owner.former) await this.keys.revokeOfMember(teamId, userId, now);
    await this.owners.deleteMerged(owner);
    return owner.user;
  }

  private async issue(digest: Buffer, userId: UserId, teamId: TeamId): Promise<IssuedKey> {
    // Before the links: deletion of the team locks in this order.
    await this.teams.lock(teamId);
    const used = await this.links.consume(digest, userId);
    if (used === null) throw new InvalidSignInLink();
    await this.mails.cancel(used);
    const { name, hours } = SIGN_IN_KEY;
    const expiresAt = new Date(this.clock.now().getTime() + hours * HOUR_MS);
    const key = await this.keys.issueForSignIn({ teamId, userId, name, mode: 'live', expiresAt });
    await this.audit.record({ action: 'account.signed_in', teamId, target: { type: 'user', id: userId } });
    return key;
  }
}

function orderOf({ user }: MemberRequest): string {
  return `${mailboxOf(user.email)} ${user.id}`;
}

function newLink(id: string, userId: UserId, expiresAt: Date): SignInLink {
  return { id, userId, token: SIGN_IN_TOKEN.create(), expiresAt };
}

function expiryOf(now: Date): Date {
  return new Date(now.getTime() + LINK_MINUTES * MINUTE_MS);
}

function notOneOf(): InvalidRequest {
  const message = 'Send the id of one of the teams in the response.';
  return new InvalidRequest([{ pointer: '/team_id', code: 'invalid_value', message }]);
}
