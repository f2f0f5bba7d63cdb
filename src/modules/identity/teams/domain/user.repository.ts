import type { UserId } from '../../../../kernel/principal.js';
import type { Page, PageRequest } from '../../../../kernel/page.js';
import type { Member } from './team.js';
import type { User } from './user.js';

/** Port: users; confirmed ones are found by their address. */
export abstract class UserRepository {
  abstract add(user: User): Promise<void>;
  abstract find(id: UserId): Promise<User | null>;
  abstract listByIds(ids: readonly UserId[]): Promise<User[]>;
  abstract findConfirmedByEmail(email: string): Promise<User | null>;

  /** The confirmed user of this address, if it is a member of any team. */
  abstract findConfirmedMember(email: string): Promise<User | null>;

  /** Stores the address, and whether it is confirmed. */
  abstract save(user: User): Promise<void>;

  /** Locks the address until the unit of work ends, so that only one user can be confirmed for it. */
  abstract lockAddress(email: string): Promise<void>;

  /** All users of these spellings of an address, in any letter case, confirmed or not. */
  abstract listIdsByEmail(spellings: readonly string[]): Promise<UserId[]>;

  /** Unconfirmed users of this address whose only memberships come from invites to it, oldest first. */
  abstract listInvited(email: string): Promise<User[]>;

  /** The users, locked until the unit of work ends, so that none joins a team. */
  abstract listForUpdate(users: readonly UserId[]): Promise<User[]>;
  abstract listMemberships(users: readonly UserId[]): Promise<Member[]>;

  /** Deletes them with their memberships and keys. */
  abstract delete(users: readonly UserId[]): Promise<void>;

  /** Newest first. */
  abstract list(request: PageRequest): Promise<Page<User>>;
}
