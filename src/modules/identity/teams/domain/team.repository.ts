import type { Role, TeamId, UserId } from '../../../../kernel/principal.js';
import type { Activity, Member, MemberId, NamedMember, Team } from './team.js';

export type TeamOfUser = Pick<Team, 'id' | 'name'> & Pick<Member, 'role'>;

export abstract class TeamRepository {
  abstract add(team: Team): Promise<void>;
  abstract addMember(member: Member): Promise<void>;
  abstract find(id: TeamId): Promise<Team | null>;
  abstract findMember(team: TeamId, user: UserId): Promise<Member | null>;
  /** The teams of a user, in the order in which the user joined. */
  abstract listByUser(user: UserId, limit: number): Promise<TeamOfUser[]>;
  /** The operator's team; null: it was deleted, or never created. */
  abstract findFirst(): Promise<Team | null>;
  abstract hasAny(): Promise<boolean>;
  /** Whether the team that is created next is the first. Others wait for the unit of work then. */
  abstract lockFirst(): Promise<boolean>;

  /**
   * The team, locked until the unit of work ends. Every change of members or invites takes this lock
   * first.
   */
  abstract findForUpdate(id: TeamId): Promise<Team | null>;

  /** The team, which cannot be deleted until the unit of work ends. */
  abstract findForKeyShare(id: TeamId): Promise<Team | null>;

  /** Days that each team has set for its data; null: none. A team that is gone is missing. */
  abstract listRetentionDays(ids: readonly TeamId[]): Promise<ReadonlyMap<TeamId, number | null>>;

  /** In the order in which they joined. */
  abstract listMembers(team: TeamId): Promise<NamedMember[]>;

  /** Whether a member's user has this address, in any letter case, confirmed or not. */
  abstract hasAddress(team: TeamId, email: string): Promise<boolean>;

  abstract isOwnerConfirmed(team: TeamId): Promise<boolean>;

  /** Some ids, in order. @param after the last of the previous call; null: from the start. */
  abstract listIds(after: TeamId | null, limit: number): Promise<TeamId[]>;

  abstract save(team: Team): Promise<void>;
  abstract saveRole(member: MemberId, role: Role): Promise<void>;
  /** Gives the membership to another user. */
  abstract saveUser(member: MemberId, user: UserId): Promise<void>;
  abstract deleteMember(member: MemberId): Promise<void>;

  /** A member that another unit of work has locked is skipped, and a later activity is kept. */
  abstract saveActivity(activity: readonly Activity[]): Promise<void>;

  /** Deletes the team with all that refers to it, and its users who have no other team. */
  abstract delete(id: TeamId): Promise<void>;
}
