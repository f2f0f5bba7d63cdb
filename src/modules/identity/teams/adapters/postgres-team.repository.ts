import { Injectable } from '@nestjs/common';
import { In, MoreThan } from 'typeorm';
import type { Role, TeamId, UserId } from '../../../../kernel/principal.js';
import { PostgresUnitOfWork } from '../../../../platform/database/transactions/postgres-unit-of-work.js';
import { type Activity, Member, type MemberId, type NamedMember, Team } from '../domain/team.js';
import { TeamRepository, type TeamOfUser } from '../domain/team.repository.js';
import { User } from '../domain/user.js';

@Injectable()
export class PostgresTeamRepository extends TeamRepository {
  constructor(private readonly work: PostgresUnitOfWork) {
    super();
  }

  async add(team: Team): Promise<void> {
    await this.work.manager.insert(Team, team);
  }

  async addMember(member: Member): Promise<void> {
    await this.work.manager.insert(Member, member);
  }

  find(id: TeamId): Promise<Team | null> {
    return this.work.manager.findOneBy(Team, { id });
  }

  findMember(teamId: TeamId, userId: UserId): Promise<Member | null> {
    return this.work.manager.findOneBy(Member, { teamId, userId });
  }

  listByUser(user: UserId, limit: number): Promise<TeamOfUser[]> {
    return this.work.manager
      .createQueryBuilder(Member, 'member')
      .innerJoin(Team, 'team', 'team.id = member.teamId')
      .where('member.userId = :user', { user })
      .select('team.id', 'id')
      .addSelect('team.name', 'name')
      .addSelect('member.role', 'role')
      .orderBy({ 'member.joinedAt': 'ASC', 'member.id': 'ASC' })
      .limit(limit)
      .getRawMany<TeamOfUser>();
  }

  findFirst(): Promise<Team | null> {
    return this.work.manager.findOneBy(Team, { isFirst: true });
  }

  hasAny(): Promise<boolean> {
    return this.work.manager.exists(Team);
  }

  async lockFirst(): Promise<boolean> {
    if (await this.hasAny()) return false;
    await this.work.manager.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', ['first team']);
    // Another transaction may have created it meanwhile.
    return !(await this.hasAny());
  }

  // FOR NO KEY UPDATE: inserts with a foreign key to the team (a fact, a job) do not wait.
  findForUpdate(id: TeamId): Promise<Team | null> {
    return this.work.manager.findOne(Team, { where: { id }, lock: { mode: 'for_no_key_update' } });
  }

  findForKeyShare(id: TeamId): Promise<Team | null> {
    return this.work.manager.findOne(Team, { where: { id }, lock: { mode: 'for_key_share' } });
  }

  async listRetentionDays(ids: readonly TeamId[]): Promise<ReadonlyMap<TeamId, number | null>> {
    const found = await this.work.manager.find(Team, {
      where: { id: In([...ids]) },
      select: { id: true, retentionDays: true },
    });
    return new Map(found.map(({ id, retentionDays }) => [id, retentionDays]));
  }

  listMembers(team: TeamId): Promise<NamedMember[]> {
    return this.membersOf(team)
      .select('member.id', 'id')
      .addSelect('member.userId', 'userId')
      .addSelect('user.email', 'email')
      .addSelect('user.confirmedAt IS NOT NULL', 'isConfirmed')
      .addSelect('member.role', 'role')
      .addSelect('member.joinedAt', 'joinedAt')
      .addSelect('member.lastActiveAt', 'lastActiveAt')
      .orderBy({ 'member.joinedAt': 'ASC', 'member.id': 'ASC' })
      .getRawMany<NamedMember>();
  }

  hasAddress(team: TeamId, email: string): Promise<boolean> {
    return this.membersOf(team).andWhere('lower(user.email) = lower(:email)', { email }).getExists();
  }

  isOwnerConfirmed(team: TeamId): Promise<boolean> {
    return this.membersOf(team)
      .andWhere("member.role = 'owner' AND user.confirmedAt IS NOT NULL")
      .getExists();
  }

  async listIds(after: TeamId | null, limit: number): Promise<TeamId[]> {
    const teams = await this.work.manager.find(Team, {
      where: { id: MoreThan(after ?? '') },
      select: { id: true },
      order: { id: 'ASC' },
      take: limit,
    });
    return teams.map(({ id }) => id);
  }

  async save({ id, ...changes }: Team): Promise<void> {
    const { name, baseTier, subscriptionTier, retentionDays, roleIsRisky } = changes;
    await this.work.manager.update(
      Team,
      { id },
      { name, baseTier, subscriptionTier, retentionDays, roleIsRisky },
    );
  }

  async saveRole(id: MemberId, role: Role): Promise<void> {
    await this.work.manager.update(Member, { id }, { role });
  }

  async saveUser(id: MemberId, userId: UserId): Promise<void> {
    await this.work.manager.update(Member, { id }, { userId });
  }

  async deleteMember(id: MemberId): Promise<void> {
    await this.work.manager.delete(Member, { id });
  }

  async saveActivity(activity: readonly Activity[]): Promise<void> {
    await this.work.manager.query(
      `WITH used AS (
         SELECT team_id, user_id, max(at) AS at
           FROM unnest($1::text[], $2::text[], $3::timestamptz[]) AS each (team_id, user_id, at)
          GROUP BY team_id, user_id
       ), free AS (
         SELECT members.id, used.at
           FROM members JOIN used USING (team_id, user_id)
          WHERE members.last_active_at IS NULL OR members.last_active_at < used.at
            FOR NO KEY UPDATE OF members SKIP LOCKED
       )
       UPDATE members SET last_active_at = free.at FROM free WHERE members.id = free.id`,
      [
        activity.map(({ teamId }) => teamId),
        activity.map(({ userId }) => userId),
        activity.map(({ at }) => at),
      ],
    );
  }

  async delete(id: TeamId): Promise<void> {
    const { manager } = this.work;
    // Locked before they are counted, so that concurrent joins of another team are included.
    const users = await manager.query<{ id: UserId }[]>(
      `SELECT id FROM users WHERE id IN (SELECT user_id FROM members WHERE team_id = $1)
        ORDER BY id FOR UPDATE`,
      [id],
    );
    await manager.delete(Team, { id });
    await manager.query(
      `DELETE FROM users WHERE id = ANY($1)
          AND NOT EXISTS (SELECT FROM members WHERE members.user_id = users.id)`,
      [users.map((user) => user.id)],
    );
  }

  private membersOf(team: TeamId) {
    return this.work.manager
      .createQueryBuilder(Member, 'member')
      .innerJoin(User, 'user', 'user.id = member.userId')
      .where('member.teamId = :team', { team });
  }
}
