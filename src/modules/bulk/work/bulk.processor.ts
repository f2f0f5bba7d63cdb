import { Processor } from '@nestjs/bullmq';
import type { TeamId } from '../../../kernel/principal.js';
import { TeamProcessor } from '../../../platform/queue/team-processor.js';
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
  constructor(
    jobs: BulkQueue,
    private readonly bulk: BulkVerificationService,
    private readonly previews: ListPreviewsService,
  ) {
    super(jobs);
  }

  /** Previews first: a person waits for one, and it takes seconds. */
  override async claim(team: TeamId): Promise<LeasedChunk | LeasedPreview | null> {
    return (await this.previews.claim(team)) ?? this.bulk.claim(team);
  }

  override work(unit: LeasedChunk | LeasedPreview, signal: AbortSignal): Promise<void> {
    return 'nextChunk' in unit ? this.previews.make(unit, signal) : this.bulk.verify(unit, signal);
  }
}
