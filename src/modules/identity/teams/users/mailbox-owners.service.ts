import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../../../kernel/audit-log.js';
import type { TeamId, UserId } from '../../../../kernel/principal.js';
import { UnitOfWork } from '../../../../kernel/unit-of-work.js';
import { TeamRepository } from '../domain/team.repository.js';
import type { Member } from '../domain/team.js';
import type { User } from '../domain/user.js';
import { UserRepository } from '../domain/user.repository.js';
import { isSameAddress, UsersService } from './users.service.js';

/** A membership from before the mailbox was confirmed: somebody else may have its keys. */
export type FormerMembership = Pick<Member, 'teamId' | 'userId'>;

export interface MailboxOwner {
  user: User;
  /** Their keys are to be revoked. */
  former: readonly FormerMembership[];
}

/**
 * One person is one user, whichever way they come. An invite leaves an unconfirmed user, because its creator has the
 * token too. Such users belong to whoever shows to own the mailbox: by a mailed link, or by an identity provider.
 * Users who created their own team never do: anybody can sign up with any address, and could keep a key of that team.
 */
@Injectable()
export class MailboxOwnersService {
  constructor(
    private readonly repository: UserRepository,
    private readonly users: UsersService,
    private readonly teams: TeamRepository,
    private readonly audit: AuditLog,
    private readonly work: UnitOfWork,
  ) {}

  /** The user who signs in with this mailbox: the confirmed member, or the first one who joined by an invite to it. */
  async find(email: string): Promise<User | null> {
    return (await this.users.confirmedMember(email)) ?? (await this.invited(email))[0] ?? null;
  }

  /**
   * Confirms the user of a mailbox, and gives them the memberships of the other users who joined by invites to it.
   *
   * @returns null when another confirmed member has the address.
   */
  confirm(id: UserId): Promise<MailboxOwner | null> {
    return this.work.run(async () => {
      const user = await this.repository.find(id);
      if (user === null) return null;
      const others = (await this.invited(user.email)).filter((other) => other.id !== id);
      if (user.confirmedAt !== null && others.length === 0) return { user, former: [] };
      const ids = [id, ...others.map((other) => other.id)];
      const locked = await this.lockTeams(ids);
      await this.repository.listForUpdate(ids);
      const confirmed = await this.users.confirm(id);
      if (confirmed === null) return null;
      const members = (await this.repository.listMemberships(ids)).filter(({ teamId }) => locked.has(teamId));
      const former = members.filter(({ userId }) => userId !== id || user.confirmedAt === null);
      const own = new Set(members.flatMap(({ teamId, userId }) => (userId === id ? [teamId] : [])));
      for (const member of members) if (member.userId !== id) await this.move(member, id, own);
      if (user.confirmedAt === null)
        for (const teamId of own) await this.record('account.confirmed', teamId, id, {});
      return { user: confirmed, former };
    });
  }

  /** Deletes those who have no team any more, after their keys were revoked. */
  async deleteMerged({ user, former }: MailboxOwner): Promise<void> {
    const merged = [...new Set(former.map(({ userId }) => userId))].filter((id) => id !== user.id);
    const left = await this.repository.listMemberships(merged);
    await this.repository.delete(merged.filter((id) => left.every(({ userId }) => userId !== id)));
  }

  private async invited(email: string): Promise<User[]> {
    const users = await this.repository.listInvited(email);
    return users.filter((user) => isSameAddress(user.email, email));
  }

  /** Before the users, in order of their ids, as in the deletion of a team, to avoid a deadlock. */
  private async lockTeams(users: readonly UserId[]): Promise<ReadonlySet<TeamId>> {
    const members = await this.repository.listMemberships(users);
    const ids = [...new Set(members.map(({ teamId }) => teamId))].sort();
    for (const id of ids) await this.teams.findForUpdate(id);
    return new Set(ids);
  }

  private async move(
    { id, teamId, userId: from, role }: Member,
    to: UserId,
    own: Set<TeamId>,
  ): Promise<void> {
    // A team has an owner at any time.
    if (own.has(teamId) && role === 'owner') return;
    if (own.has(teamId)) await this.teams.deleteMember(id);
    else await this.teams.saveUser(id, to);
    own.add(teamId);
    await this.record('user.merged', teamId, to, { merged: from });
  }

  private record(
    action: string,
    teamId: TeamId,
    id: UserId,
    details: Record<string, unknown>,
  ): Promise<void> {
    return this.audit.record({ action, teamId, target: { type: 'user', id }, details });
  }
}
