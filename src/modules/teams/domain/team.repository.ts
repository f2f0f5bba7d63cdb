import type { TeamId, UserId } from '../../../kernel/language.js';
import type { Member } from './member.js';
import type { Team } from './team.js';
import type { User } from './user.js';

/** Port: teams, their members, and the users these are. */
export abstract class TeamRepository {
  abstract addUser(user: User): Promise<void>;
  abstract addTeam(team: Team): Promise<void>;
  abstract addMember(member: Member): Promise<void>;
  abstract userByEmail(email: string): Promise<User | null>;
  abstract team(id: TeamId): Promise<Team | null>;
  abstract member(team: TeamId, user: UserId): Promise<Member | null>;
  abstract anyTeam(): Promise<boolean>;
}
