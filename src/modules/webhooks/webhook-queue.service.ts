import { Injectable } from '@nestjs/common';
import { JobQueue } from '../../kernel/job-queue.js';
import { UnitOfWork } from '../../kernel/unit-of-work.js';

export const DELIVERIES_QUEUE = 'webhook-deliveries';

/** Says that deliveries wait; whose turn it is, is asked of the database. */
@Injectable()
export class WebhookQueue {
  constructor(
    private readonly queue: JobQueue,
    private readonly work: UnitOfWork,
  ) {}

  /** @throws when the queue is out of reach. */
  async enqueue(deliveries: readonly string[]): Promise<void> {
    await this.queue.addAll(
      DELIVERIES_QUEUE,
      deliveries.map((delivery) => ({ id: `webhook-${delivery}`, data: { delivery } })),
    );
  }

  /** Once the open unit of work has committed; a ring that is lost is a sweep's to repeat. */
  enqueueAfterCommit(deliveries: readonly string[]): void {
    this.work.afterCommit(() => void this.enqueue(deliveries).catch(() => undefined));
  }
}
