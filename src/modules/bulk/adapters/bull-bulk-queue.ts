import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import { Queue } from 'bullmq';
import { BulkQueue, CHUNKS_QUEUE } from '../domain/bulk-queue.js';

/** Enough for all processes: a job verifies chunks until none waits, and further jobs would find none. */
const MAX_JOBS = 64;

@Injectable()
export class BullBulkQueue extends BulkQueue {
  constructor(@InjectQueue(CHUNKS_QUEUE) private readonly queue: Queue) {
    super();
  }

  override async enqueueChunks(chunks: readonly { list: string; no: number }[]): Promise<void> {
    const jobs = chunks.slice(0, MAX_JOBS).map(({ list, no }) => ({
      name: 'verify-chunk',
      data: { list, chunk: no },
      opts: { jobId: `bulk-${list}-chunk-${no}` },
    }));
    await this.queue.addBulk(jobs);
  }
}
