import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../../../kernel/audit-log.js';
import { Events } from '../../../../kernel/events.js';
import { atLeast, type Principal, type Role, type TeamId } from '../../../../kernel/principal.js';
import { NotFound, RoleRequired } from '../../../../kernel/errors.js';
import { UnitOfWork } from '../../../../kernel/unit-of-work.js';
import { lockTeam, lockTeamAs } from '../domain/lock-team.js';
import type { MemberId, NamedMember } from '../domain/team.js';
import { TeamRepository } from '../domain/team.repository.js';
import { InvitesService } from '../invites/invites.service.js';
import { CannotRemoveOwner, LastOwner } from '../domain/teams.errors.js';

type RoleChange = Pick<NamedMember, 'id' | 'userId' | 'role'>;

/** The members of a team. The team is locked during every change, so it has exactly one owner at any time. */
@Injectable()
export class MembersService {
  constructor(
    private readonly teams: TeamRepository,
    private readonly invites: InvitesService,
    private readonly events: Events,
    private readonly audit: AuditLog,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Removes a member and revokes the pending invites that the member made; members may remove
   * themselves, admins others.
   *
   * @throws RoleRequired, NotFound, CannotRemoveOwner
   */
  remove(caller: Principal, id: MemberId): Promise<void> {
    return this.work.run(async () => {
      const { team, member: remover } = await lockTeam(this.teams, caller);
      const leaves = id === remover?.id;
      // Before the look-up: the response must not reveal whether there is such a member.
      if (!leaves && !atLeast(remover?.role ?? 'member', 'admin')) throw new RoleRequired('admin');
      const member = await this.find(team.id, id);
      if (member.role === 'owner') throw new CannotRemoveOwner();
      await this.teams.deleteMember(member.id);
      await this.record('member.removed', team.id, member, { role: member.role, left: leaves });
      await this.invites.revokeOf(team.id, member.userId, null);
      const data = { user_id: member.userId, member_id: member.id };
      await this.events.publish({ type: 'member.removed', teamId: team.id, data });
    });
  }

  /**
   * Changes the role of a member, and revokes the member's pending invites for a higher role. The role
   * `owner` transfers ownership: the caller becomes admin.
   *
   * @throws NotFound, RoleRequired, LastOwner
   */
  changeRole(caller: Principal, id: MemberId, role: Role): Promise<NamedMember> {
    return this.work.run(async () => {
      const { team, member: owner } = await lockTeamAs('owner', this.teams, caller);
      const member = await this.find(team.id, id);
      if (member.role === role) return member;
      if (member.id === owner.id) throw new LastOwner();
      // The old owner first: a unique index allows one owner per team at any time.
      if (role === 'owner') await this.setRole(team.id, owner, 'admin');
      await this.setRole(team.id, member, role);
      return { ...member, role };
    });
  }

  private async find(team: TeamId, id: MemberId): Promise<NamedMember> {
    const member = (await this.teams.listMembers(team)).find((candidate) => candidate.id === id);
    if (member === undefined) throw new NotFound('There is no such member.');
    return member;
  }

  private async setRole(team: TeamId, member: RoleChange, to: Role): Promise<void> {
    await this.teams.saveRole(member.id, to);
    await this.record('member.role_changed', team, member, { from: member.role, to });
    await this.invites.revokeOf(team, member.userId, to);
  }

  private record(
    action: string,
    teamId: TeamId,
    { id, userId }: RoleChange,
    details: Record<string, unknown>,
  ): Promise<void> {
    return this.audit.record({
      action,
      teamId,
      target: { type: 'member', id },
      details: { user_id: userId, ...details },
    });
  }
}
