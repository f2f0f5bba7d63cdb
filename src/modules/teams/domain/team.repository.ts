import type { Role, TeamId, UserId } from '../../../kernel/principal.js';
import type { Member, MemberId, NamedMember } from './member.js';
import type { Team } from './team.js';

/** Port: teams and their members. */
export abstract class TeamRepository {
  abstract addTeam(team: Team): Promise<void>;
  abstract addMember(member: Member): Promise<void>;
  abstract team(id: TeamId): Promise<Team | null>;
  abstract member(team: TeamId, user: UserId): Promise<Member | null>;
  abstract anyTeam(): Promise<boolean>;

  /**
   * The team, held until the unit of work ends. Whoever changes its members or
   * invites holds it first, so that such changes happen one after the other.
   */
  abstract lockForUpdate(id: TeamId): Promise<Team | null>;

  /** In the order in which they joined. */
  abstract members(team: TeamId): Promise<NamedMember[]>;

  /** Some ids in their order. @param after the last of those before; null: the first. */
  abstract ids(after: TeamId | null, limit: number): Promise<TeamId[]>;

  abstract changeTeam(team: Team): Promise<void>;
  abstract changeRole(member: MemberId, role: Role): Promise<void>;
  abstract removeMember(member: MemberId): Promise<void>;

  /** Removes the team with all that refers to it, and those of its users who are in no other. */
  abstract removeTeam(id: TeamId): Promise<void>;
}
