import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { BulkQueue } from './bulk-queue.service.js';
import { BulkDeletionService } from './bulk-deletion.service.js';
import { BulkRechecksService } from './bulk-rechecks.service.js';
import { BulkJobRepository } from './domain/bulk-job.repository.js';
import { ChunkRepository } from './domain/chunk.repository.js';

/** What the upkeep is told by whoever wires it. */
export abstract class BulkSettings {
  /** How long after the last row that was not deferred a job waits for its deferred ones. */
  abstract readonly deadlineMs: number;
}

/** Longer than a request may last: whoever sent it is gone. */
const UPLOAD_LIVES_MS = 15 * 60_000;
/** Whoever erases it has died on the way. */
const ERASING_TAKES_MS = 5 * 60_000;
const CLOSED_AT_ONCE = 500;

/** What sweeps do so that no job stays where it is. */
@Injectable()
export class BulkMaintenanceService {
  constructor(
    private readonly jobs: BulkJobRepository,
    private readonly parts: ChunkRepository,
    private readonly rechecks: BulkRechecksService,
    private readonly ending: BulkDeletionService,
    private readonly queue: BulkQueue,
    private readonly settings: BulkSettings,
    private readonly clock: Clock,
  ) {}

  /** Rings for work that waits: its ring was lost, or whoever had it died. @returns for how many chunks. */
  async enqueueMissing(): Promise<number> {
    const waiting = await this.parts.waitingChunks();
    if (waiting.length > 0) await this.queue.enqueueChunks(waiting);
    return waiting.length;
  }

  /**
   * Closes deferred rows whose job has waited long enough.
   *
   * @returns how many jobs. @throws the first failure, after all the others were closed.
   */
  async closeOverdue(): Promise<number> {
    const overdue = await this.jobs.onlyDeferredSince(this.ago(this.settings.deadlineMs));
    const failures: unknown[] = [];
    for (const list of overdue) await this.close(list).catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
    return overdue.length;
  }

  /** Erases what has expired, what never came in whole, and what was left half erased. @returns how many jobs. */
  async deleteDue(): Promise<number> {
    const due = [
      ...(await this.jobs.expired(this.clock.now())),
      ...(await this.jobs.untouchedSince('receiving', this.ago(UPLOAD_LIVES_MS))),
      ...(await this.jobs.untouchedSince('erasing', this.ago(ERASING_TAKES_MS))),
      ...(await this.jobs.abandoned()),
    ];
    for (const list of due) await this.ending.erase(list);
    return due.length;
  }

  private async close(list: string): Promise<void> {
    while (await this.rechecks.closeDeferred(list, CLOSED_AT_ONCE));
  }

  private ago(ms: number): Date {
    return new Date(this.clock.now().getTime() - ms);
  }
}
