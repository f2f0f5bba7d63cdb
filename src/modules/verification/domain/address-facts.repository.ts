import type { TeamId } from '../../../kernel/language.js';
import type { AddressFacts } from './evidence.js';

/** Facts as they were kept. */
export interface KeptFacts {
  facts: AddressFacts;
  observedAt: Date;
}

/** Port: what each team's checks have learned about addresses. */
export abstract class AddressFactsRepository {
  /** @param key `EmailAddress.key`; null: nothing kept, or kept too long ago. */
  abstract get(team: TeamId, key: string, now: Date): Promise<KeptFacts | null>;

  /** Replaces what was kept before. */
  abstract keep(team: TeamId, key: string, kept: KeptFacts, expiresAt: Date): Promise<void>;

  /** Erases what has expired. @returns how many. */
  abstract eraseExpired(now: Date): Promise<number>;
}
