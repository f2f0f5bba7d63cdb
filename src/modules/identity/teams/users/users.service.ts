import { Injectable } from '@nestjs/common';
import { parseEmailAddress } from '../../../../engine/address/email-address.js';
import { AuditLog } from '../../../../kernel/audit-log.js';
import { Clock } from '../../../../kernel/clock.js';
import { NotFound } from '../../../../kernel/errors.js';
import type { UserId } from '../../../../kernel/principal.js';
import type { Page, PageRequest } from '../../../../kernel/page.js';
import { UnitOfWork } from '../../../../kernel/unit-of-work.js';
import type { Member } from '../domain/team.js';
import { User } from '../domain/user.js';
import { UserRepository } from '../domain/user.repository.js';
import { AddressInUse } from '../domain/teams.errors.js';

export type { User };

/** Two spellings of one mailbox. The database folds letters as its locale does: in some, \u0130 is an i. */
export function isSameAddress(one: string, other: string): boolean {
  const [first, second] = [parseEmailAddress(one), parseEmailAddress(other)];
  return first.ok && second.ok && first.address.key === second.address.key;
}

export interface UserView {
  user: User;
  members: Member[];
}

@Injectable()
export class UsersService {
  constructor(
    private readonly users: UserRepository,
    private readonly audit: AuditLog,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  get(id: UserId): Promise<User | null> {
    return this.users.find(id);
  }

  /** Those that exist, by their id. */
  async byIds(ids: readonly UserId[]): Promise<Map<UserId, User>> {
    const users = ids.length === 0 ? [] : await this.users.listByIds([...new Set(ids)]);
    return new Map(users.map((user) => [user.id, user]));
  }

  /** Newest first, with their memberships. */
  async list(request: PageRequest): Promise<Page<UserView>> {
    const { items, next } = await this.users.list(request);
    const members = await this.users.listMemberships(items.map(({ id }) => id));
    const ofUser = (user: User) => members.filter(({ userId }) => userId === user.id);
    return { items: items.map((user) => ({ user, members: ofUser(user) })), next };
  }

  memberships(id: UserId): Promise<Member[]> {
    return this.users.listMemberships([id]);
  }

  /** The confirmed user of this address, created if there is none: the operator confirms the address. */
  confirmedByOperator(email: string): Promise<User> {
    return this.work.run(async () => {
      await this.users.lockAddress(email);
      const known = await this.users.findConfirmedByEmail(email);
      if (known !== null) return known;
      const now = this.clock.now();
      return this.add(new User(email, now, now));
    });
  }

  /**
   * Confirms the address of a user, who has shown the operator to own it.
   *
   * @throws NotFound; AddressInUse when another confirmed member has the address.
   */
  confirmAny(id: UserId): Promise<User> {
    return this.work.run(async () => {
      const before = await this.users.find(id);
      if (before === null) throw new NotFound('There is no such user.');
      const user = await this.confirm(id);
      if (user === null) throw new AddressInUse();
      if (before.confirmedAt === null) await this.record('account.confirmed', id);
      return user;
    });
  }

  /**
   * Gives the user another address, which the operator confirms.
   *
   * @throws NotFound; AddressInUse when another confirmed user has the address.
   */
  changeAddress(id: UserId, email: string): Promise<User> {
    return this.work.run(async () => {
      await this.users.lockAddress(email);
      const user = await this.users.find(id);
      if (user === null) throw new NotFound('There is no such user.');
      const holder = await this.users.findConfirmedByEmail(email);
      if (holder !== null && holder.id !== id) throw new AddressInUse();
      user.email = email;
      user.confirmedAt ??= this.clock.now();
      await this.users.save(user);
      await this.record('user.address_changed', id);
      return user;
    });
  }

  /** In the audit log of each team of the user, without the address. */
  private async record(action: string, id: UserId): Promise<void> {
    const target = { type: 'user', id };
    for (const { teamId } of await this.users.listMemberships([id]))
      await this.audit.record({ action, teamId, target });
  }

  /** Creates an unconfirmed user, whoever has confirmed the address. */
  claim(email: string): Promise<User> {
    return this.add(new User(email, this.clock.now(), null));
  }

  confirmedMember(email: string): Promise<User | null> {
    return this.users.findConfirmedMember(email);
  }

  /**
   * Confirms the user's address.
   *
   * @returns null when it now belongs to another confirmed member of some team.
   */
  confirm(id: UserId): Promise<User | null> {
    return this.work.run(async () => {
      const user = await this.users.find(id);
      if (user === null || user.confirmedAt !== null) return user;
      await this.users.lockAddress(user.email);
      if ((await this.users.findConfirmedMember(user.email)) !== null) return null;
      const holder = await this.users.findConfirmedByEmail(user.email);
      // The other user has left all teams: the address moves to the newer user.
      if (holder !== null) {
        holder.confirmedAt = null;
        await this.users.save(holder);
      }
      user.confirmedAt = this.clock.now();
      await this.users.save(user);
      return user;
    });
  }

  /**
   * Confirms the user who has shown to own this mailbox, if it is that of the user. Nothing happens when another
   * confirmed member has the address.
   */
  async confirmIfSame(id: UserId, email: string): Promise<void> {
    const user = await this.users.find(id);
    if (user !== null && isSameAddress(user.email, email)) await this.confirm(id);
  }

  private async add(user: User): Promise<User> {
    await this.users.add(user);
    return user;
  }
}
