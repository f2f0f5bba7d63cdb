import { Injectable } from '@nestjs/common';
import { parseEmailAddress } from '../../../../engine/address/email-address.js';
import { AuditLog } from '../../../../kernel/audit-log.js';
import { Events } from '../../../../kernel/events.js';
import type { TeamId, UserId } from '../../../../kernel/principal.js';
import { OutgoingMails } from '../../../../kernel/mail.js';
import { UnitOfWork } from '../../../../kernel/unit-of-work.js';
import { InviteRepository } from '../domain/invite.repository.js';
import type { Member, Team } from '../domain/team.js';
import { TeamRepository } from '../domain/team.repository.js';
import { UserRepository } from '../domain/user.repository.js';
import { TeamsService } from '../team/teams.service.js';

export interface ErasedUsers {
  users: UserId[];
  teamsLeft: TeamId[];
  teamsDeleted: TeamId[];
  invites: number;
}

/** Teams that a person owns, who is not erased for that reason. */
export interface OwnedTeams {
  owned: Team[];
}

/** Erases users, found by their address. The audit log keeps ids that no longer refer to anything. */
@Injectable()
export class UserErasureService {
  constructor(
    private readonly users: UserRepository,
    private readonly teams: TeamRepository,
    private readonly teamsService: TeamsService,
    private readonly invites: InviteRepository,
    private readonly mails: OutgoingMails,
    private readonly events: Events,
    private readonly audit: AuditLog,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Deletes all users of the address, confirmed or not, with their memberships and keys, the invites to
   * and by them, and queued mails.
   *
   * @param deleteTeams whether to delete the teams that they own.
   * @returns the teams that they own when these are not to be deleted: nothing was erased then.
   */
  erase(email: string, deleteTeams: boolean): Promise<ErasedUsers | OwnedTeams> {
    return this.work.run(async () => {
      const spellings = spellingsOf(email);
      const users = await this.users.listIdsByEmail(spellings);
      const teams = await this.lockTeams(users);
      const members = await this.lockUsers(users, teams);
      const owners = members.filter(({ role }) => role === 'owner');
      const owned = teams.filter(({ id }) => owners.some(({ teamId }) => teamId === id));
      if (owned.length > 0 && !deleteTeams) return { owned };
      const others = members.filter(({ role }) => role !== 'owner');
      for (const member of others) await this.removeMember(member);
      for (const { teamId, userId } of owners) await this.record('user.erased', teamId, userId);
      for (const team of owned) await this.teamsService.deleteLocked(team);
      const invites = await this.invites.deleteByUsers(spellings, users);
      await this.mails.cancel([...invites, ...users]);
      await this.users.delete(users);
      // After that: who queues a mail about a list of the user has locked the list, from which this takes the user.
      await this.mails.cancelOfUsers(users);
      return {
        users,
        teamsLeft: others.map(({ teamId }) => teamId),
        teamsDeleted: owned.map(({ id }) => id),
        invites: invites.length,
      };
    });
  }

  /** Teams first and users after, as in the deletion of a team, to avoid a deadlock. */
  private async lockTeams(users: readonly UserId[]): Promise<Team[]> {
    const members = await this.users.listMemberships(users);
    const teams: Team[] = [];
    for (const id of [...new Set(members.map(({ teamId }) => teamId))].sort()) {
      const team = await this.teams.findForUpdate(id);
      if (team !== null) teams.push(team);
    }
    return teams;
  }

  private async lockUsers(users: readonly UserId[], teams: readonly Team[]): Promise<Member[]> {
    await this.users.listForUpdate(users);
    const members = await this.users.listMemberships(users);
    if (members.every(({ teamId }) => teams.some(({ id }) => id === teamId))) return members;
    throw new Error('the user has joined a team in the meantime; run the command again');
  }

  private async removeMember({ id, teamId, userId, role }: Member): Promise<void> {
    await this.teams.deleteMember(id);
    await this.audit.record({
      action: 'member.removed',
      teamId,
      target: { type: 'member', id },
      details: { user_id: userId, role, left: false },
    });
    const data = { user_id: userId, member_id: id };
    await this.events.publish({ type: 'member.removed', teamId, data });
    await this.record('user.erased', teamId, userId);
  }

  private record(action: string, teamId: TeamId, userId: UserId): Promise<void> {
    return this.audit.record({ action, teamId, target: { type: 'user', id: userId } });
  }
}

/** As it was written, and as it is stored: with the domain as A-labels. */
function spellingsOf(email: string): string[] {
  const parsed = parseEmailAddress(email);
  return parsed.ok ? [email, parsed.address.mailbox] : [email];
}
