import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import type { TeamId } from '../../kernel/principal.js';
import { AddressFactsRepository } from './domain/address-facts.repository.js';

/** Deletes facts about addresses. */
@Injectable()
export class AddressFactsService {
  constructor(
    private readonly facts: AddressFactsRepository,
    private readonly clock: Clock,
  ) {}

  /** Deletes the team's facts observed up to then. @param hashes from `VerificationService.identify`. */
  deleteUntil(teamId: TeamId, hashes: readonly Buffer[], until: Date): Promise<void> {
    return this.facts.deleteUntil(teamId, hashes, until);
  }

  /** @returns the number of deleted facts. */
  eraseExpired(): Promise<number> {
    return this.facts.eraseExpired(this.clock.now());
  }

  /** Deletes all facts of a deleted team. @returns how many. */
  deleteByTeam(teamId: TeamId): Promise<number> {
    return this.facts.deleteByTeam(teamId);
  }
}
