import type { TeamId, UserId } from '../../../kernel/language.js';
import type { PostgresUnitOfWork } from '../../../platform/database/postgres-unit-of-work.js';
import { Member } from '../domain/member.js';
import { TeamRepository } from '../domain/team.repository.js';
import { Team } from '../domain/team.js';
import { User } from '../domain/user.js';

export class PostgresTeamRepository extends TeamRepository {
  constructor(private readonly work: PostgresUnitOfWork) {
    super();
  }

  async addUser(user: User): Promise<void> {
    await this.work.manager.insert(User, user);
  }

  async addTeam(team: Team): Promise<void> {
    await this.work.manager.insert(Team, team);
  }

  async addMember(member: Member): Promise<void> {
    await this.work.manager.insert(Member, member);
  }

  userByEmail(email: string): Promise<User | null> {
    return this.work.manager
      .createQueryBuilder(User, 'user')
      .where('lower(user.email) = lower(:email)', { email })
      .getOne();
  }

  team(id: TeamId): Promise<Team | null> {
    return this.work.manager.findOneBy(Team, { id });
  }

  member(teamId: TeamId, userId: UserId): Promise<Member | null> {
    return this.work.manager.findOneBy(Member, { teamId, userId });
  }

  anyTeam(): Promise<boolean> {
    return this.work.manager.exists(Team);
  }
}
