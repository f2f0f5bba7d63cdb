import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../../../kernel/audit-log.js';
import { Clock } from '../../../../kernel/clock.js';
import { Events } from '../../../../kernel/events.js';
import { isId } from '../../../../kernel/ids.js';
import {
  atLeast,
  type Principal,
  type Role,
  type TeamId,
  type UserId,
} from '../../../../kernel/principal.js';
import { LimitReached, NotFound, RoleRequired } from '../../../../kernel/errors.js';
import { type Language, MailCounts, mailboxOf, OutgoingMails } from '../../../../kernel/mail.js';
import type { Page, PageRequest } from '../../../../kernel/page.js';
import { UnitOfWork } from '../../../../kernel/unit-of-work.js';
import { Config } from '../../../../platform/config/config.js';
import { TiersService } from '../../tiers/tiers.service.js';
import { lockTeamAs } from '../domain/lock-team.js';
import {
  Invite,
  INVITE_ROLES,
  MAX_INVITE_MAILS_PER_DAY,
  MAX_INVITE_MAILS_PER_MAILBOX,
  MAX_PENDING_INVITES,
  type InviteId,
  type InviteRole,
  type InviteStatus,
} from '../domain/invite.js';
import { InviteRepository } from '../domain/invite.repository.js';
import {
  INVITE_TOKEN,
  MAILBOX_PROOF,
  readInviteToken,
  type ReadInviteToken,
} from '../domain/invite-token.js';
import { Member, type NamedMember } from '../domain/team.js';
import { TeamRepository } from '../domain/team.repository.js';
import { inviteMail } from '../domain/invite-mail.js';
import { AlreadyMember, InvalidInvite } from '../domain/teams.errors.js';
import { TeamsService, type TeamView } from '../team/teams.service.js';
import { UsersService } from '../users/users.service.js';
import { DAY_MS } from '../../../../kernel/durations.js';

/** A wish for an invite. */
export interface InviteInput {
  email: string;
  role: InviteRole;
  /** Of the mail. */
  language: Language;
  days: number;
}

export interface InviteView {
  invite: Invite;
  status: InviteStatus;
}

/** A new invite. Its token is shown only here. */
export interface NewInvite extends InviteView {
  token: string;
  acceptUrl: string;
}

/** What a valid token offers. */
export interface InviteOffer {
  invite: Invite;
  teamName: string;
  /** Their address; null: nobody has shown to own it. */
  inviter: string | null;
}

export interface Joined {
  team: TeamView;
  member: NamedMember;
  /** False: already a member. */
  isNew: boolean;
}

@Injectable()
export class InvitesService {
  constructor(
    private readonly invites: InviteRepository,
    private readonly mails: OutgoingMails,
    private readonly mailCounts: MailCounts,
    private readonly teams: TeamRepository,
    private readonly tiers: TiersService,
    private readonly views: TeamsService,
    private readonly users: UsersService,
    private readonly events: Events,
    private readonly audit: AuditLog,
    private readonly config: Config,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async list(
    caller: Principal,
    status: InviteStatus | null,
    request: PageRequest,
  ): Promise<Page<InviteView>> {
    const now = this.clock.now();
    const { items, next } = await this.invites.list(caller.teamId, status, request, now);
    return { items: items.map((invite) => ({ invite, status: invite.statusAt(now) })), next };
  }

  /** @throws NotFound */
  async get(caller: Principal, id: InviteId): Promise<InviteView> {
    const invite = isId('inv', id) ? await this.invites.find(caller.teamId, id) : null;
    if (invite === null) throw new NotFound('There is no such invite.');
    return { invite, status: invite.statusAt(this.clock.now()) };
  }

  /**
   * Invites an address; a pending invite to it is replaced and gets a new token. A mail is sent only if strangers cannot
   * misuse it: for a team whose owner has confirmed the address, and three times a day to one mailbox, over all teams.
   * Otherwise the caller passes the link on. Only digests of tokens are stored, so that an invite is sent again by
   * inviting again.
   *
   * @throws RoleRequired when the role is above the caller's; UpgradeRequired for a suspended team;
   * AlreadyMember, LimitReached
   */
  invite(caller: Principal, { email, role, language, days }: InviteInput): Promise<NewInvite> {
    return this.work.run(async () => {
      const { team, member: inviter } = await lockTeamAs('admin', this.teams, caller);
      if (!atLeast(inviter.role, role)) throw new RoleRequired(role);
      this.tiers.requireNotSuspended(this.tiers.effective(team.baseTier, team.subscriptionTier));
      if (await this.teams.hasAddress(team.id, email)) throw new AlreadyMember();
      const now = this.clock.now();
      const replaced = await this.invites.revokePending(team.id, email, now);
      const byMail = await this.mayMail(team.id, email, now);
      await this.requireBelowLimits(team.id, byMail, now);
      const token = INVITE_TOKEN.create();
      const proof = byMail ? MAILBOX_PROOF.create() : null;
      const expiresAt = new Date(now.getTime() + days * DAY_MS);
      const digest = INVITE_TOKEN.digest(token);
      const proofDigest = proof === null ? null : MAILBOX_PROOF.digest(proof);
      const by = inviter.userId;
      const invite = new Invite(team.id, email, role, digest, by, byMail, now, expiresAt, proofDigest);
      await this.invites.add(invite);
      if (replaced !== null) await this.mails.cancel([replaced]);
      const acceptUrl = `${this.config.publicUrl}/console#invite=${token}`;
      if (proof !== null) {
        const mail = inviteMail[language](this.mails.brand, invite, team.name, `${acceptUrl}.${proof}`);
        await this.mails.queue({ id: invite.id, kind: 'invite', teamId: team.id, mail, expiresAt });
      }
      await this.record('invite.created', invite.id, team.id, { role, by_mail: byMail, replaces: replaced });
      return { invite, status: 'pending', token, acceptUrl };
    });
  }

  /** @throws NotFound when it is not pending. */
  revoke(caller: Principal, id: InviteId): Promise<void> {
    return this.work.run(async () => {
      const { team } = await lockTeamAs('admin', this.teams, caller);
      const revoked = isId('inv', id) && (await this.invites.revoke(team.id, id, this.clock.now()));
      if (!revoked) throw new NotFound('There is no such pending invite.');
      await this.ended(id, team.id);
    });
  }

  /**
   * Revokes the pending invites that a user made, in the unit of work that removes or demotes the user.
   * The team is locked by it.
   *
   * @param role the user's new role, whose invites stay valid; null: the user is no longer a member.
   */
  async revokeOf(team: TeamId, inviter: UserId, role: Role | null): Promise<void> {
    const above = INVITE_ROLES.filter((inviteRole) => role === null || !atLeast(role, inviteRole));
    const revoked = await this.invites.revokeOfInviter(team, inviter, above, this.clock.now());
    for (const id of revoked) await this.ended(id, team);
  }

  /**
   * Adds the user to the team of the token; a member stays unchanged, and the invite is used. The token of the mailed
   * link confirms the address of the user, if it is that of the invite.
   *
   * @throws InvalidInvite for every invalid token, whatever the reason
   */
  accept(token: string, userId: UserId): Promise<Joined> {
    return this.work.run(async () => {
      const { invite, email } = await this.use(token, userId);
      const isNew = await this.join(invite, userId);
      if (email !== null) await this.users.confirmIfSame(userId, email);
      const view = await this.views.get(invite.teamId, userId);
      const member = view.members.find((candidate) => candidate.userId === userId) as NamedMember;
      await this.mails.cancel([invite.id]);
      const { id, teamId } = invite;
      const joined = { user_id: userId, member_id: member.id };
      await this.record('invite.accepted', id, teamId, joined);
      const data = { ...joined, invite_id: id, role: member.role };
      await this.events.publish({ type: 'invite.accepted', teamId, data });
      return { team: view, member, isNew };
    });
  }

  /** @throws InvalidInvite for every invalid token. */
  async read(token: string): Promise<InviteOffer> {
    const read = readInviteToken(token);
    const invite = read && (await this.find(read));
    const team = invite && (await this.teams.find(invite.teamId));
    if (team === null || invite?.statusAt(this.clock.now()) !== 'pending' || !(await this.isInForce(invite)))
      throw new InvalidInvite();
    const inviter = await this.users.get(invite.invitedBy);
    const isShown = inviter !== null && inviter.confirmedAt !== null;
    return { invite, teamName: team.name, inviter: isShown ? inviter.email : null };
  }

  private async find({ digest, proofDigest }: ReadInviteToken): Promise<Invite | null> {
    const invite = await this.invites.findByDigest(digest);
    if (invite === null || proofDigest === null) return invite;
    return invite.proofDigest?.equals(proofDigest) === true ? invite : null;
  }

  /** @returns `email`: the address whose mailbox the user of the token has shown to own; null: none. */
  private async use(token: string, userId: UserId): Promise<{ invite: Invite; email: string | null }> {
    const read = readInviteToken(token);
    const invite = read && (await this.find(read));
    if (read === null || invite === null) throw new InvalidInvite();
    const { id, teamId } = invite;
    // The team is locked before the invite, as in every other change, to avoid a deadlock.
    await this.teams.findForUpdate(teamId);
    if (!(await this.isInForce(invite)) || !(await this.invites.accept(id, userId, this.clock.now())))
      throw new InvalidInvite();
    return { invite, email: read.proofDigest === null ? null : invite.email };
  }

  /** Whether who has sent it may still give this role. */
  private async isInForce({ teamId, invitedBy, role }: Invite): Promise<boolean> {
    const inviter = await this.teams.findMember(teamId, invitedBy);
    return inviter !== null && atLeast(inviter.role, role);
  }

  /** @returns false: already a member. */
  private async join({ teamId, role }: Invite, userId: UserId): Promise<boolean> {
    if ((await this.teams.findMember(teamId, userId)) !== null) return false;
    await this.teams.addMember(new Member(teamId, userId, role, this.clock.now()));
    return true;
  }

  /** Counts the mail. */
  private async mayMail(team: TeamId, email: string, now: Date): Promise<boolean> {
    if (!this.mails.areSent || !(await this.teams.isOwnerConfirmed(team))) return false;
    return this.mailCounts.count(`invite to ${mailboxOf(email)}`, now, MAX_INVITE_MAILS_PER_MAILBOX);
  }

  private async requireBelowLimits(team: TeamId, byMail: boolean, now: Date): Promise<void> {
    if ((await this.invites.countPending(team, now)) >= MAX_PENDING_INVITES) {
      throw new LimitReached('pending_invites', MAX_PENDING_INVITES);
    }
    const today = new Date(now.getTime() - (now.getTime() % DAY_MS));
    if (byMail && (await this.invites.countMailedSince(team, today)) >= MAX_INVITE_MAILS_PER_DAY) {
      throw new LimitReached('invite_mails_a_day', MAX_INVITE_MAILS_PER_DAY);
    }
  }

  private async ended(id: InviteId, team: TeamId): Promise<void> {
    await this.mails.cancel([id]);
    await this.record('invite.revoked', id, team, {});
  }

  private record(
    action: string,
    id: InviteId,
    teamId: TeamId,
    details: Record<string, unknown>,
  ): Promise<void> {
    return this.audit.record({ action, teamId, target: { type: 'invite', id }, details });
  }
}
