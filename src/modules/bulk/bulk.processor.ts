import { Processor, WorkerHost } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import { BulkVerificationService } from './bulk-verification.service.js';
import { CHUNKS_QUEUE } from './domain/bulk-queue.js';

/** A job verifies chunks of all lists, so that a second one is for when the first one fails. */
const CONCURRENCY = 2;

/** `verify-chunk`: the database selects the chunks, independently of the queue job. */
@Processor(CHUNKS_QUEUE, { concurrency: CONCURRENCY })
export class BulkProcessor extends WorkerHost {
  constructor(private readonly bulk: BulkVerificationService) {
    super();
  }

  /** @param signal aborts when the process shuts down. */
  override async process(_job: Job, _token?: string, signal = new AbortController().signal): Promise<void> {
    await this.bulk.verifyWaiting(signal);
  }
}
