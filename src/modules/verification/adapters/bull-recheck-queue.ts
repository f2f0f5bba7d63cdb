import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import { Queue } from 'bullmq';
import { RecheckQueue, RECHECKS_QUEUE } from '../domain/recheck-queue.js';

@Injectable()
export class BullRecheckQueue extends RecheckQueue {
  constructor(@InjectQueue(RECHECKS_QUEUE) private readonly queue: Queue) {
    super();
  }

  override async enqueue(rechecks: readonly string[]): Promise<void> {
    const jobs = rechecks.map((check) => ({
      name: 'recheck',
      data: { check },
      opts: { jobId: `recheck-${check}` },
    }));
    await this.queue.addBulk(jobs);
  }
}
