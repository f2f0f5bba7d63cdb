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

  /** Enqueues jobs for due rechecks, at most as many as may run at once. @returns the number of rechecks. */
  async enqueueDue(): Promise<number> {
    const due = await this.rechecks.due(this.clock.now());
    if (due.length > 0) await this.queue.enqueue(due);
    return due.length;
  }
}
