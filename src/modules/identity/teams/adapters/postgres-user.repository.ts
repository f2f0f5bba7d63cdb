import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import type { UserId } from '../../../../kernel/principal.js';
import type { Page, PageRequest } from '../../../../kernel/page.js';
import { keysetPage } from '../../../../platform/database/transactions/keyset-page.js';
import { PostgresUnitOfWork } from '../../../../platform/database/transactions/postgres-unit-of-work.js';
import { Member } from '../domain/team.js';
import { UserRepository } from '../domain/user.repository.js';
import { User } from '../domain/user.js';

@Injectable()
export class PostgresUserRepository extends UserRepository {
  constructor(private readonly work: PostgresUnitOfWork) {
    super();
  }

  async add(user: User): Promise<void> {
    await this.work.manager.insert(User, user);
  }

  find(id: UserId): Promise<User | null> {
    return this.work.manager.findOneBy(User, { id });
  }

  listByIds(ids: readonly UserId[]): Promise<User[]> {
    return this.work.manager.findBy(User, { id: In([...ids]) });
  }

  findConfirmedByEmail(email: string): Promise<User | null> {
    return this.confirmedWith(email).getOne();
  }

  findConfirmedMember(email: string): Promise<User | null> {
    return this.confirmedWith(email)
      .andWhere('EXISTS (SELECT FROM members WHERE user_id = user.id)')
      .getOne();
  }

  async save({ id, email, confirmedAt }: User): Promise<void> {
    await this.work.manager.update(User, { id }, { email, confirmedAt });
  }

  async lockAddress(email: string): Promise<void> {
    await this.work.manager.query("SELECT pg_advisory_xact_lock(hashtextextended('user ' || lower($1), 0))", [
      email,
    ]);
  }

  async listIdsByEmail(spellings: readonly string[]): Promise<UserId[]> {
    const users = await this.select()
      .where('lower(user.email) IN (SELECT lower(unnest(CAST(:spellings AS text[]))))', { spellings })
      .getMany();
    return users.map(({ id }) => id).sort();
  }

  listInvited(email: string): Promise<User[]> {
    const memberships = 'SELECT FROM members AS held WHERE held.user_id = user.id';
    const invite = `SELECT FROM invites WHERE invites.team_id = held.team_id AND
      invites.accepted_by = held.user_id AND lower(invites.email) = lower(user.email)`;
    return this.select()
      .where('lower(user.email) = lower(:email) AND user.confirmedAt IS NULL', { email })
      .andWhere(`EXISTS (${memberships})`)
      .andWhere(`NOT EXISTS (${memberships} AND NOT EXISTS (${invite}))`)
      .orderBy({ 'user.createdAt': 'ASC', 'user.id': 'ASC' })
      .getMany();
  }

  listForUpdate(users: readonly UserId[]): Promise<User[]> {
    const lock = { mode: 'pessimistic_write' } as const;
    return this.work.manager.find(User, { where: { id: In([...users]) }, order: { id: 'ASC' }, lock });
  }

  listMemberships(users: readonly UserId[]): Promise<Member[]> {
    return this.work.manager.find(Member, { where: { userId: In([...users]) }, order: { joinedAt: 'ASC' } });
  }

  async delete(users: readonly UserId[]): Promise<void> {
    await this.work.manager.delete(User, { id: In([...users]) });
  }

  list(request: PageRequest): Promise<Page<User>> {
    return keysetPage(this.select(), request);
  }

  private confirmedWith(email: string) {
    return this.select().where('lower(user.email) = lower(:email) AND user.confirmedAt IS NOT NULL', {
      email,
    });
  }

  private select() {
    return this.work.manager.createQueryBuilder(User, 'user');
  }
}
