import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import type { TeamId } from '../../kernel/principal.js';
import { AddressFactsRepository } from './domain/address-facts.repository.js';

/** How what was learned about addresses is erased. */
@Injectable()
export class AddressFactsService {
  constructor(
    private readonly facts: AddressFactsRepository,
    private readonly clock: Clock,
  ) {}

  /** Erases what the team has learned about addresses until then. @param hashes from `VerificationService.identify`. */
  forget(teamId: TeamId, hashes: readonly Buffer[], until: Date): Promise<void> {
    return this.facts.forget(teamId, hashes, until);
  }

  /** @returns how many facts were erased. */
  eraseExpired(): Promise<number> {
    return this.facts.eraseExpired(this.clock.now());
  }

  /** Erases all of a team that is gone. @returns how many facts. */
  deleteByTeam(teamId: TeamId): Promise<number> {
    return this.facts.deleteByTeam(teamId);
  }
}
