import { Injectable } from '@nestjs/common';
import { parseEmailAddress } from '../../engine/address/email-address.js';
import { OutcomesService } from '../outcomes/outcomes.service.js';
import { TeamsService } from '../teams/teams.service.js';
import { AddressFactsService } from './address-facts.service.js';
import { AddressFactsRepository } from './domain/address-facts.repository.js';
import { RecheckRepository } from './domain/recheck.repository.js';

/** Counts of deleted records. */
export interface ErasedAddress {
  facts: number;
  outcomes: number;
  deferredChecks: number;
}

/** Deletes the stored data of all teams about one address. */
@Injectable()
export class AddressErasureService {
  constructor(
    private readonly addresses: AddressFactsService,
    private readonly facts: AddressFactsRepository,
    private readonly rechecks: RecheckRepository,
    private readonly outcomes: OutcomesService,
    private readonly teams: TeamsService,
  ) {}

  /**
   * All spellings of the address are included. Each step commits on its own, and the call can be
   * repeated.
   */
  async erase(email: string): Promise<ErasedAddress> {
    const parsed = parseEmailAddress(email);
    const hash = this.addresses.identify(email);
    // Rechecks first: one that completes in between would store new facts.
    const deferredChecks = await this.rechecks.deleteByAddress(hash);
    let facts = 0;
    let outcomes = 0;
    for await (const teams of this.teams.allIds()) {
      facts += await this.facts.deleteByAddress(teams, hash);
      if (parsed.ok) outcomes += await this.outcomes.eraseAddress(teams, parsed.address.key);
    }
    return { facts, outcomes, deferredChecks };
  }
}
