import type { KeyId, PublishableRules } from '../../../../kernel/principal.js';

export interface RequestDecision {
  /** The limit that is reached, of one client, or `key_day` of all; null: the request is allowed and counted. */
  refusedBy: 'client_minute' | 'client_day' | 'key_day' | null;
  minute: WindowState;
  day: WindowState;
}

interface WindowState {
  remaining: number;
  secondsLeft: number;
}

export interface RequestedAddress {
  key: KeyId;
  client: string;
  domain: string;
  /** The same for all spellings of the address. */
  address: string;
}

/** Distinct addresses of one domain that are answered within 24 hours. */
export interface AddressLimits {
  perClient: number;
  /** By all clients of a key; null: no limit. */
  perKey: number | null;
}

/**
 * Port: the counters of publishable keys, shared by all processes. Minutes and days are those of the store,
 * in UTC. Clients, domains and addresses are stored as keyed hashes.
 */
export abstract class PublishableStore {
  /** A refusal that this process knows of, whose window has not ended; null: none. */
  abstract findCachedRefusal(key: KeyId, client: string): RequestDecision | null;

  /** Counts a request of each of these clients of a key, unless a limit is reached, with one statement. */
  abstract consumeRequests(
    key: KeyId,
    clients: readonly string[],
    rules: Pick<PublishableRules, 'perAddress' | 'perDay'>,
  ): Promise<RequestDecision[]>;

  /**
   * Records the address, unless that many other addresses of the domain were recorded within 24 hours.
   *
   * @returns whether the address may be answered: an address that was, may be again.
   */
  abstract consumeAddress(requested: RequestedAddress, limits: AddressLimits): Promise<boolean>;

  /** Deletes rows that no limit needs any more, in batches. @returns the number of rows. */
  abstract deleteExpired(): Promise<number>;
}
