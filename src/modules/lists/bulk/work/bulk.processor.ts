import { Processor } from '@nestjs/bullmq';
import { Clock } from '../../../../kernel/clock.js';
import { TeamProcessor } from '../../../../platform/queue/team-processor.js';
import { BulkVerificationService } from './bulk-verification.service.js';
import { BulkQueue, CHUNKS_QUEUE } from '../domain/bulk-queue.js';
import type { LeasedPreview } from '../domain/preview.repository.js';
import { ListPreviewsService } from '../preview/list-previews.service.js';
import type { LeasedChunk } from '../domain/chunk.repository.js';

/** A chunk mostly waits for mail servers. `ListWindows` limits how many of their addresses are in the network. */
const CONCURRENCY = 64;

/** `verify-chunk`: the next chunk, or the preview of a held list. */
@Processor(CHUNKS_QUEUE, { concurrency: CONCURRENCY })
export class BulkProcessor extends TeamProcessor<LeasedChunk | LeasedPreview> {
  constructor(jobs: BulkQueue, clock: Clock, previews: ListPreviewsService, chunks: BulkVerificationService) {
    // Previews first: a person waits for one, and it takes seconds.
    super(jobs, clock, [previews, chunks]);
  }
}
