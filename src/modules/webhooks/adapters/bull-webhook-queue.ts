import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import { Queue } from 'bullmq';
import { UnitOfWork } from '../../../kernel/unit-of-work.js';
import { DELIVERIES_QUEUE, WebhookQueue } from '../domain/webhook-queue.js';

@Injectable()
export class BullWebhookQueue extends WebhookQueue {
  constructor(
    @InjectQueue(DELIVERIES_QUEUE) private readonly queue: Queue,
    private readonly work: UnitOfWork,
  ) {
    super();
  }

  override async enqueue(deliveries: readonly string[]): Promise<void> {
    const jobs = deliveries.map((delivery) => ({
      name: 'deliver-webhook',
      data: { delivery },
      opts: { jobId: `webhook-${delivery}` },
    }));
    await this.queue.addBulk(jobs);
  }

  override enqueueAfterCommit(deliveries: readonly string[]): void {
    this.work.afterCommit(() => void this.enqueue(deliveries).catch(() => undefined));
  }
}
