import type { KeyId, TeamId, UserId } from '../../../../kernel/principal.js';
import type { Page, PageRequest } from '../../../../kernel/page.js';
import type { ApiKey } from './api-key.js';

export interface KeyUseOfMember {
  teamId: TeamId;
  userId: UserId;
  at: Date;
}

/** Port: keys, found by their digest. */
export abstract class ApiKeyRepository {
  abstract add(key: ApiKey): Promise<void>;

  /** Stores the name and the expiry. */
  abstract save(key: ApiKey): Promise<void>;

  abstract findByDigest(digest: Buffer): Promise<ApiKey | null>;
  abstract find(id: KeyId): Promise<ApiKey | null>;

  /** The same, locked until the unit of work ends. */
  abstract findForUpdate(id: KeyId): Promise<ApiKey | null>;

  /** Whether anybody has ever used a key of the installation. */
  abstract isAnyUsed(): Promise<boolean>;

  /** Newest first, including expired and revoked keys. */
  abstract list(team: TeamId, page: PageRequest): Promise<Page<ApiKey>>;

  /** The keys of a member that are not revoked, locked until the unit of work ends. */
  abstract listUnrevokedForUpdate(team: TeamId, user: UserId, madeUntil: Date): Promise<ApiKey[]>;

  /** Valid keys without those of sign-ins and clients. @param user null: of the whole team. */
  abstract countValid(team: TeamId, user: UserId | null, now: Date): Promise<number>;

  /** The valid keys from sign-ins of a member, oldest first, locked until the unit of work ends. */
  abstract listSignInsForUpdate(team: TeamId, user: UserId, now: Date): Promise<ApiKey[]>;

  /** The same of the clients that a member has allowed. */
  abstract listOfClientsForUpdate(team: TeamId, user: UserId, now: Date): Promise<ApiKey[]>;

  /**
   * Records when keys were last used; an already recorded later use is kept.
   *
   * @returns the uses of secret keys of members: a publishable key is used by strangers.
   */
  abstract saveUses(uses: ReadonlyMap<KeyId, Date>): Promise<KeyUseOfMember[]>;
}
