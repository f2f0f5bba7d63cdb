import { Injectable } from '@nestjs/common';
import { TeamsService } from '../teams/teams.service.js';
import { AddressErasureRepository } from './domain/address-erasure.repository.js';
import { VerificationService } from './verification.service.js';

/** What was erased about an address. */
export interface ErasedAddress {
  facts: number;
  deferredChecks: number;
}

/** Erases what all teams together know about one address. */
@Injectable()
export class AddressErasureService {
  constructor(
    private readonly kept: AddressErasureRepository,
    private readonly verification: VerificationService,
    private readonly teams: TeamsService,
  ) {}

  /** All its spellings count. It is committed piece by piece, and may be done again. */
  async erase(email: string): Promise<ErasedAddress> {
    const hash = this.verification.identify(email);
    // Checks first: one that ends meanwhile would leave facts behind.
    const deferredChecks = await this.kept.eraseDeferredChecks(hash);
    let facts = 0;
    for await (const teams of this.teams.allIds()) facts += await this.kept.eraseFacts(teams, hash);
    return { facts, deferredChecks };
  }
}
