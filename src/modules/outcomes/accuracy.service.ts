import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import type { TeamId } from '../../kernel/principal.js';
import type { Accuracy } from './domain/accuracy.js';
import { AccuracyRepository } from './domain/accuracy.repository.js';

const DAY_MS = 86_400_000;

/** How verdicts compare with what became of the mails. */
@Injectable()
export class AccuracyService {
  constructor(
    private readonly accuracy: AccuracyRepository,
    private readonly clock: Clock,
  ) {}

  get(teamId: TeamId, days: number): Promise<Accuracy> {
    return this.accuracy.get(teamId, new Date(this.clock.now().getTime() - days * DAY_MS));
  }
}
