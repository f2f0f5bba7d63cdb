import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import type { TeamId } from '../../kernel/principal.js';
import { parseEmailAddress } from '../../engine/address/email-address.js';
import { Engine } from '../../engine/engine.js';
import { AddressFactsRepository } from './domain/address-facts.repository.js';

/** Where an address belongs within a list. */
export interface ListLocation {
  /**
   * Four bytes that are the same for all addresses of a domain, then `identify`; in hexadecimal. In the
   * order of the keys, the addresses of a domain are neighbours.
   */
  key: string;
  /** Whose mail servers the domain has; null: not known without a request. */
  provider: string | null;
}

/** The key of texts that are no addresses begins with it. */
const NO_DOMAIN = '00000000';
/** The keyed hashes of addresses, and the deletion of facts about them. */
@Injectable()
export class AddressFactsService {
  constructor(
    private readonly engine: Engine,
    private readonly facts: AddressFactsRepository,
    private readonly clock: Clock,
  ) {}

  /** A keyed hash that is the same for all spellings of an address; a text that is no address has one too. */
  identify(email: string): Buffer {
    return this.facts.hashOf(this.engine.identify(email));
  }

  /** In hexadecimal, since a buffer for each of a million addresses takes longer. */
  locate(email: string): ListLocation {
    const parsed = parseEmailAddress(email);
    const hash = this.facts.hexOf(this.engine.identify(email));
    if (!parsed.ok) return { key: NO_DOMAIN + hash, provider: null };
    const { domain } = parsed.address;
    return { key: this.facts.domainHashOf(domain) + hash, provider: this.engine.providerOf(domain) };
  }

  /** Deletes the team's facts observed up to then. @param hashes from `identify`. */
  deleteUntil(teamId: TeamId, hashes: readonly Buffer[], until: Date): Promise<void> {
    return this.facts.deleteUntil(teamId, hashes, until);
  }
}
