import type { UserId } from '../../../kernel/language.js';
import type { Page, PageRequest } from '../../../kernel/page.js';
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

  /** Newest first. */
  abstract page(request: PageRequest): Promise<Page<User>>;
}
