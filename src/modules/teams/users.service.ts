import { Injectable } from '@nestjs/common';
import { parseEmailAddress } from '../../engine/address/email-address.js';
import { Clock } from '../../kernel/clock.js';
import type { UserId } from '../../kernel/principal.js';
import type { Page, PageRequest } from '../../kernel/page.js';
import { UnitOfWork } from '../../kernel/unit-of-work.js';
import type { Member } from './domain/team.js';
import { User } from './domain/user.js';
import { UserRepository } from './domain/user.repository.js';

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
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  get(id: UserId): Promise<User | null> {
    return this.users.find(id);
  }

  /** Newest first, with their memberships. */
  async list(request: PageRequest): Promise<Page<UserView>> {
    const { items, next } = await this.users.list(request);
    const members = await this.users.listMemberships(items.map(({ id }) => id));
    const ofUser = (user: User) => members.filter(({ userId }) => userId === user.id);
    return { items: items.map((user) => ({ user, members: ofUser(user) })), next };
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
