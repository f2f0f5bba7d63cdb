import type { TeamId } from '../../../kernel/principal.js';
import type { Soon } from '../../../kernel/soon.js';
import type { AddressFacts } from './evidence.js';

/** Facts as they were kept. */
export interface StoredFacts {
  facts: AddressFacts;
  observedAt: Date;
}

/** Port: what each team's checks have learned about addresses. */
export abstract class AddressFactsRepository {
  /** @param key `EmailAddress.key`; null: nothing kept, or kept too long ago. */
  abstract get(team: TeamId, key: string, now: Date): Soon<StoredFacts | null>;

  /** The same for many, by key. */
  abstract getMany(
    team: TeamId,
    keys: readonly string[],
    now: Date,
  ): Promise<ReadonlyMap<string, StoredFacts>>;

  /** The keyed hash under which facts are kept: it tells nothing about the address. */
  abstract hashOf(key: string): Buffer;

  /** Erases those of the team that were observed until then. */
  abstract forget(team: TeamId, hashes: readonly Buffer[], until: Date): Promise<void>;

  /** Replaces what was kept before. */
  abstract store(team: TeamId, key: string, kept: StoredFacts, expiresAt: Date): Promise<void>;

  /** Erases what has expired. @returns how many. */
  abstract eraseExpired(now: Date): Promise<number>;

  /** Erases all of the team, in batches. @returns how many. */
  abstract deleteByTeam(team: TeamId): Promise<number>;
}
