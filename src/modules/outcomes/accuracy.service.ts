import { Injectable } from '@nestjs/common';
import { FairSemaphore } from '../../kernel/concurrency/fair-semaphore.js';
import { Clock } from '../../kernel/clock.js';
import type { TeamId } from '../../kernel/principal.js';
import type { Accuracy } from './domain/accuracy.js';
import { AccuracyRepository } from './domain/accuracy.repository.js';

/** A team with a million outcomes takes seconds of PostgreSQL; these are at most a fifth of the connections. */
const READS = { total: 2, perKey: 1 };
const DAY_MS = 86_400_000;

/** How verdicts compare with what became of the mails. */
@Injectable()
export class AccuracyService {
  private readonly reads = new FairSemaphore(READS);

  constructor(
    private readonly accuracy: AccuracyRepository,
    private readonly clock: Clock,
  ) {}

  get(teamId: TeamId, days: number): Promise<Accuracy> {
    const since = new Date(this.clock.now().getTime() - days * DAY_MS);
    return this.reads.run(teamId, () => this.accuracy.get(teamId, since));
  }
}
