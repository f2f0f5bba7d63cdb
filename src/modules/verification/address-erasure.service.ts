import { Injectable } from '@nestjs/common';
import { TeamsService } from '../teams/teams.service.js';
import { AddressFactsService } from './address-facts.service.js';
import { AddressErasureRepository } from './domain/address-erasure.repository.js';

/** Counts of deleted records. */
export interface ErasedAddress {
  facts: number;
  deferredChecks: number;
}

/** Deletes the stored data of all teams about one address. */
@Injectable()
export class AddressErasureService {
  constructor(
    private readonly erasure: AddressErasureRepository,
    private readonly addresses: AddressFactsService,
    private readonly teams: TeamsService,
  ) {}

  /**
   * All spellings of the address are included. Each step commits on its own, and the call can be
   * repeated.
   */
  async erase(email: string): Promise<ErasedAddress> {
    const hash = this.addresses.identify(email);
    // Rechecks first: one that completes in between would store new facts.
    const deferredChecks = await this.erasure.eraseDeferredChecks(hash);
    let facts = 0;
    for await (const teams of this.teams.allIds()) facts += await this.erasure.eraseFacts(teams, hash);
    return { facts, deferredChecks };
  }
}
