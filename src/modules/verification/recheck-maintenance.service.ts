import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { RecheckQueue } from './domain/recheck-queue.js';
import { RecheckRepository } from './domain/recheck.repository.js';

@Injectable()
export class RecheckMaintenanceService {
  constructor(
    private readonly rechecks: RecheckRepository,
    private readonly queue: RecheckQueue,
    private readonly clock: Clock,
  ) {}

  /** Enqueues jobs of teams with due rechecks. @returns how many teams. */
  async enqueueDue(): Promise<number> {
    const teams = await this.rechecks.teamsWithDue(this.clock.now());
    await this.queue.enqueue(teams);
    return teams.length;
  }
}
