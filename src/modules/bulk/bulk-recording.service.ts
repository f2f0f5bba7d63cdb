import { Injectable } from '@nestjs/common';
import { BatchedWriter } from '../../kernel/concurrency/batched-writer.js';
import { FairSemaphore } from '../../kernel/concurrency/fair-semaphore.js';
import type { ListId } from '../../kernel/ids.js';
import { UnitOfWork } from '../../kernel/unit-of-work.js';
import { RechecksService } from '../verification/rechecks.service.js';
import { BulkProgressService } from './bulk-progress.service.js';
import { BulkJobRepository } from './domain/bulk-job.repository.js';
import { ChunkRepository, type ChunkResults, type LeasedChunk } from './domain/chunk.repository.js';
import { ListRepository, type AddressResult } from './domain/list.repository.js';

interface Part extends ChunkResults {
  /** Called when its lease is lost, or its job has ended: nothing more can be recorded. */
  onLost: () => void;
}

/** A killed process repeats what it collected in this time. */
const COLLECT_MS = 250;
const ROWS_WRITTEN = 1_000;
/** Of the ten connections of a process. */
const WRITES = 4;

/** Records the results of all chunks of a list that this process verifies. */
@Injectable()
export class BulkRecordingService {
  private readonly parts = new BatchedWriter<Part>({
    write: (parts, listId) => this.write(listId as ListId, parts),
    collectMs: COLLECT_MS,
    maxSize: ROWS_WRITTEN,
    sizeOf: ({ results }) => results.length,
    retriesEach: true,
  });
  private readonly writes = new FairSemaphore({ total: WRITES, perKey: WRITES });

  constructor(
    private readonly jobs: BulkJobRepository,
    private readonly lists: ListRepository,
    private readonly chunks: ChunkRepository,
    private readonly rechecks: RechecksService,
    private readonly progress: BulkProgressService,
    private readonly work: UnitOfWork,
  ) {}

  /** Resolves when the results are recorded, or the lease is lost. */
  record(part: Part): Promise<void> {
    return this.parts.add(part.chunk.listId, part);
  }

  private write(listId: ListId, parts: readonly Part[]): Promise<void> {
    return this.writes.run(listId, () =>
      this.work
        .run(() => this.writeParts(listId, parts))
        .catch(async (error: unknown) => {
          if (!(error instanceof JobEnded)) throw error;
          for (const { onLost } of parts) onLost();
          // The deletion of the job's chunks skips those that are locked, as these were.
          await this.chunks.deleteByList(listId);
        }),
    );
  }

  /** Locks the chunks first, then writes their results, and locks the job last, so that it is locked only briefly. */
  private async writeParts(listId: ListId, parts: readonly Part[]): Promise<void> {
    const held = await this.chunks.advance(listId, parts);
    const kept = parts.filter(({ chunk }) => held.has(chunk.lease));
    for (const part of parts) if (!kept.includes(part)) part.onLost();
    if (kept.length === 0) return;
    const deferred: AddressResult[] = [];
    const recorded: AddressResult[] = [];
    for (const { chunk, results } of kept)
      for (const result of results) (this.isDeferred(chunk, result) ? deferred : recorded).push(result);
    const { teamId } = kept[0]!.chunk;
    await this.rechecks.deferRows({ teamId, listId }, deferred);
    await this.lists.addResults(listId, recorded);
    const job = await this.jobs.findForUpdate(listId);
    if (!job?.isOpen) throw new JobEnded();
    const chunks = kept.filter(({ isLast }) => isLast).length;
    await this.progress.advance(job, recorded, { deferred: deferred.length, chunks });
  }

  private isDeferred({ mode }: LeasedChunk, { verdict }: AddressResult): boolean {
    return mode === 'live' && this.rechecks.isDeferred(verdict);
  }
}

/** The job has ended in the meantime: the results are rolled back. */
class JobEnded extends Error {}
