import { Injectable } from '@nestjs/common';
import { JobQueue } from '../../kernel/job-queue.js';

export const CHUNKS_QUEUE = 'bulk-chunks';

/** Whoever is woken works until nothing waits: so many need to be woken at most. */
const MOST_RINGS = 64;

/** Says that there is work; what it is, is asked of the database. */
@Injectable()
export class BulkQueue {
  constructor(private readonly queue: JobQueue) {}

  /** @throws when the queue is out of reach. */
  async enqueueChunks(chunks: readonly { list: string; no: number }[]): Promise<void> {
    const rings = chunks
      .slice(0, MOST_RINGS)
      .map(({ list, no }) => ({ id: `bulk-${list}-chunk-${no}`, data: { list, chunk: no } }));
    await this.queue.addAll(CHUNKS_QUEUE, rings);
  }
}
