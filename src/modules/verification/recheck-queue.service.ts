import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { JobQueue } from '../../kernel/job-queue.js';
import { RecheckRepository } from './domain/recheck.repository.js';

export const RECHECKS_QUEUE = 'rechecks';

/** Enqueues a job for each recheck that is due, as many as may be under way at once. */
@Injectable()
export class RecheckQueue {
  constructor(
    private readonly rechecks: RecheckRepository,
    private readonly queue: JobQueue,
    private readonly clock: Clock,
  ) {}

  /** @returns for how many. @throws when the queue is out of reach. */
  async enqueueDue(): Promise<number> {
    const due = await this.rechecks.due(this.clock.now());
    const jobs = due.map((check) => ({ id: `recheck-${check}`, data: { check } }));
    if (jobs.length > 0) await this.queue.addAll(RECHECKS_QUEUE, jobs);
    return jobs.length;
  }
}
