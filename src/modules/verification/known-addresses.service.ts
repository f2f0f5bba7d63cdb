import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import type { TeamId } from '../../kernel/principal.js';
import type { Verdict } from '../../kernel/verdict.js';
import { ExperienceService } from '../outcomes/experience.service.js';
import { OutcomesService } from '../outcomes/outcomes.service.js';
import { AddressFactsRepository } from './domain/address-facts.repository.js';
import type { KnownAddress } from './domain/local-results.js';

/** What is stored about addresses: facts of the network, and outcomes of the team's mails. */
@Injectable()
export class KnownAddressesService {
  constructor(
    private readonly facts: AddressFactsRepository,
    private readonly outcomes: OutcomesService,
    private readonly experience: ExperienceService,
    private readonly clock: Clock,
  ) {}

  /** @param key `EmailAddress.key`. */
  async find(teamId: TeamId, key: string): Promise<KnownAddress> {
    const [facts, histories, experience] = await Promise.all([
      this.facts.get(teamId, key, this.clock.now()),
      this.outcomes.histories(teamId, [key]),
      this.experience.of(teamId),
    ]);
    return { facts, history: histories.get(key) ?? null, experience };
  }

  /** The same for several addresses, by key. */
  async findMany(teamId: TeamId, keys: readonly string[]): Promise<(key: string) => KnownAddress> {
    const [facts, histories, experience] = await Promise.all([
      this.facts.getMany(teamId, keys, this.clock.now()),
      this.outcomes.histories(teamId, keys),
      this.experience.of(teamId),
    ]);
    return (key) => ({
      facts: facts.get(key) ?? null,
      history: histories.get(key) ?? null,
      experience,
    });
  }

  /** Remembers a verdict, so that an outcome finds it. */
  remember(teamId: TeamId, verdict: Verdict): void {
    this.experience.remember(teamId, verdict);
  }
}
