import type { KeyId, TeamId, UserId } from '../../../kernel/principal.js';
import type { Page, PageRequest } from '../../../kernel/page.js';
import type { ApiKey } from './api-key.js';

/** Port: keys, found by the digest of their text. */
export abstract class ApiKeyRepository {
  abstract add(key: ApiKey): Promise<void>;

  /** Stores when the key ends. */
  abstract save(key: ApiKey): Promise<void>;

  abstract byDigest(digest: Buffer): Promise<ApiKey | null>;
  abstract get(id: KeyId): Promise<ApiKey | null>;

  /** The same, and nobody else changes it before this unit of work ends. */
  abstract getForUpdate(id: KeyId): Promise<ApiKey | null>;

  /** Newest first, those that are no longer good too. */
  abstract findByTeam(team: TeamId, page: PageRequest): Promise<Page<ApiKey>>;

  /** Those of a member that are not revoked, to be changed in this unit of work. */
  abstract findUnrevokedForUpdate(team: TeamId, user: UserId, madeUntil: Date): Promise<ApiKey[]>;

  /**
   * From here to the end of the unit of work nobody else is given a key in this
   * team, and nobody joins or leaves it: what is counted and checked stays true.
   * Comes before any key is held, or two units could wait for each other.
   */
  abstract acquireLock(team: TeamId): Promise<void>;
  abstract countValid(team: TeamId, now: Date): Promise<number>;

  /** Notes when keys were last used; a later use that is noted already stands. */
  abstract recordUse(uses: ReadonlyMap<KeyId, Date>): Promise<void>;
}
