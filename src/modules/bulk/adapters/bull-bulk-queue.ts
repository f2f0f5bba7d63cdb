import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import { Queue } from 'bullmq';
import { BulkQueue, CHUNKS_QUEUE } from '../domain/bulk-queue.js';

/** A job runs until no chunk waits: further jobs would find none. */
const MAX_JOBS = 128;

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
