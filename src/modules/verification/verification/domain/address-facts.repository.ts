import type { TeamId } from '../../../../kernel/principal.js';
import type { AddressFacts } from '../../../../engine/evidence.js';

/** Facts with the time of their observation. */
export interface StoredFacts {
  facts: AddressFacts;
  observedAt: Date;
}

/** Facts to store under the key of an address. */
export interface FactsRecord extends StoredFacts {
  /** `EmailAddress.key`, or `domainKeyOf`. */
  key: string;
  expiresAt: Date;
}

/** Port: each team's facts about addresses. */
export abstract class AddressFactsRepository {
  /** @param key `EmailAddress.key`. @returns null when there is none, or it has expired. */
  abstract find(team: TeamId, key: string, now: Date): Promise<StoredFacts | null>;

  /** The same for several keys, by key. */
  abstract list(team: TeamId, keys: readonly string[], now: Date): Promise<ReadonlyMap<string, StoredFacts>>;

  /** The keyed hash under which facts are stored, in hexadecimal; the address cannot be derived from it. */
  abstract hashOf(key: string): string;

  /** Four bytes of a keyed hash of the domain, in hexadecimal; different domains may have the same. */
  abstract domainHashOf(domain: string): string;

  /** Deletes the team's facts observed up to then. */
  abstract deleteUntil(team: TeamId, hashes: readonly Buffer[], until: Date): Promise<void>;

  /** Deletes the facts of these teams about one address. @returns how many. */
  abstract deleteByAddress(teams: readonly TeamId[], hash: Buffer): Promise<number>;

  /** Replaces the stored facts of these addresses in one statement; each key occurs once. */
  abstract save(team: TeamId, records: readonly FactsRecord[]): Promise<void>;
}
