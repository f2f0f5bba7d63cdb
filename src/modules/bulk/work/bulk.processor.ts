import { Processor } from '@nestjs/bullmq';
import type { TeamId } from '../../../kernel/principal.js';
import { TeamProcessor } from '../../../platform/queue/team-processor.js';
import { BulkVerificationService } from './bulk-verification.service.js';
import { BulkQueue, CHUNKS_QUEUE } from '../domain/bulk-queue.js';
import type { LeasedChunk } from '../domain/chunk.repository.js';

/** A chunk mostly waits for mail servers. `ListWindows` limits how many of their addresses are in the network. */
const CONCURRENCY = 64;

/** `verify-chunk` */
@Processor(CHUNKS_QUEUE, { concurrency: CONCURRENCY })
export class BulkProcessor extends TeamProcessor<LeasedChunk> {
  constructor(
    jobs: BulkQueue,
    private readonly bulk: BulkVerificationService,
  ) {
    super(jobs);
  }

  override claim(team: TeamId): Promise<LeasedChunk | null> {
    return this.bulk.claim(team);
  }

  override work(chunk: LeasedChunk, signal: AbortSignal): Promise<void> {
    return this.bulk.verify(chunk, signal);
  }
}
