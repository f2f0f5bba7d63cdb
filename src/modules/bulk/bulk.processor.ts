import { Processor, WorkerHost } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import { BulkVerificationService } from './bulk-verification.service.js';
import { CHUNKS_QUEUE } from './domain/bulk-queue.js';

/**
 * A chunk mostly waits for mail servers. With this many, a process has work for the servers of many domains
 * at once; `ListWindows` limits how many addresses are in the network.
 */
const CONCURRENCY = 64;

/** `verify-chunk`: the database selects the next chunk, independently of the queue job. */
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
