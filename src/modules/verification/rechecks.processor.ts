import { Processor, WorkerHost } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import { RECHECKS_QUEUE } from './domain/recheck-queue.js';
import { RecheckRunService } from './recheck-run.service.js';

/** Most rechecks wait for mail servers. */
const CONCURRENCY = 64;

/** `recheck`: the database selects the next recheck, independently of the queue job. */
@Processor(RECHECKS_QUEUE, { concurrency: CONCURRENCY })
export class RechecksProcessor extends WorkerHost {
  constructor(private readonly rechecks: RecheckRunService) {
    super();
  }

  /** @param signal aborts when the process shuts down. */
  override async process(_job: Job, _token?: string, signal = new AbortController().signal): Promise<void> {
    await this.rechecks.recheckDue(signal);
  }
}
