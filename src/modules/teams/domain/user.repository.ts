import type { UserId } from '../../../kernel/principal.js';
import type { Page, PageRequest } from '../../../kernel/page.js';
import type { Member } from './member.js';
import type { User } from './user.js';

/** Port: users, of whom the confirmed ones are found by their address. */
export abstract class UserRepository {
  abstract add(user: User): Promise<void>;
  abstract get(id: UserId): Promise<User | null>;
  abstract confirmedByEmail(email: string): Promise<User | null>;

  /** Stores whether the address is confirmed. */
  abstract save(user: User): Promise<void>;

  /** From here to the end of the unit of work nobody else makes a confirmed user of this address. */
  abstract lockAddress(email: string): Promise<void>;

  abstract isInAnyTeam(user: UserId): Promise<boolean>;

  /** Of all users who give this address, in any letter case, confirmed or not. */
  abstract idsByEmail(email: string): Promise<UserId[]>;

  /** From here to the end of the unit of work none of them joins a team. */
  abstract lock(users: readonly UserId[]): Promise<void>;
  abstract memberships(users: readonly UserId[]): Promise<Member[]>;

  /** Removes them with their memberships and keys. */
  abstract remove(users: readonly UserId[]): Promise<void>;

  /** Newest first. */
  abstract page(request: PageRequest): Promise<Page<User>>;
}
