import { Injectable } from '@nestjs/common';
import { BatchedWriter } from '../../kernel/concurrency/batched-writer.js';
import type { ListId } from '../../kernel/ids.js';
import { UnitOfWork } from '../../kernel/unit-of-work.js';
import { RechecksService, type ClaimedRecheck } from '../verification/rechecks.service.js';
import {
  VerificationService,
  type Caller,
  type CheckedAddress,
} from '../verification/verification.service.js';
import { BulkProgressService } from './bulk-progress.service.js';
import type { BulkJob } from './domain/bulk-job.js';
import { BulkJobRepository } from './domain/bulk-job.repository.js';
import { singleHashRange } from './domain/hash-range.js';
import { ListRepository, type AddressResult } from './domain/list.repository.js';

type LatestResult = Pick<ClaimedRecheck, 'hash' | 'email' | 'rows' | 'verdict'>;

/** Provided by the module. */
export abstract class BulkSettings {
  /** How long a job waits for its deferred rows after its last other row. */
  abstract readonly deadlineMs: number;
}

interface RecheckResult {
  claimed: ClaimedRecheck;
  result: AddressResult;
}

/** The deferred rows of a job. */
export interface DeferredRows {
  rows: number;
  /** null: those that are left are being rechecked. */
  nextAttemptAt: Date | null;
  /** When they are completed at the latest; null: other rows are not done yet. */
  until: Date | null;
}

const CLOSE_BATCH_SIZE = 500;

/** The rows of bulk jobs that are rechecked. */
@Injectable()
export class BulkRechecksService {
  /**
   * Grouped by list: transactions of one list wait for each other at its job, and must not use up the
   * connection pool.
   */
  private readonly results = new BatchedWriter<RecheckResult>({
    write: (results, listId) => this.recordAll(listId as ListId, results),
    retriesEach: true,
  });

  constructor(
    private readonly jobs: BulkJobRepository,
    private readonly lists: ListRepository,
    private readonly rechecks: RechecksService,
    private readonly verification: VerificationService,
    private readonly progress: BulkProgressService,
    private readonly settings: BulkSettings,
    private readonly work: UnitOfWork,
  ) {}

  /** false: the job has ended or was deleted. */
  async isOpen(listId: ListId): Promise<boolean> {
    return (await this.jobs.findByList(listId))?.isOpen ?? false;
  }

  /** Records the final verdict of a row, unless the lease was lost. */
  record(claimed: ClaimedRecheck, { verdict, fromNetwork }: CheckedAddress): Promise<void> {
    const { listId, hash, rows } = claimed;
    const email = claimed.email ?? verdict.email;
    const result = { hash, rows, firstRow: null, email, verdict, probed: fromNetwork };
    return listId === null ? Promise.resolve() : this.results.add(listId, { claimed, result });
  }

  /** Records the latest verdict of a row that cannot be checked. */
  async recordUnchecked(claimed: ClaimedRecheck): Promise<void> {
    const { listId } = claimed;
    const job = listId === null ? null : await this.jobs.findByList(listId);
    const caller = job && (await this.progress.callerFor(job));
    if (listId === null || caller === null) return;
    await this.results.add(listId, { claimed, result: await this.latestResult(listId, caller, claimed) });
  }

  /** The deferred rows of these jobs, by list; a job without any is not in it. */
  async findDeferred(jobs: readonly BulkJob[]): Promise<ReadonlyMap<ListId, DeferredRows>> {
    const waiting = jobs.filter(({ isOpen, deferredLeft }) => isOpen && deferredLeft > 0);
    const found = await this.rechecks.countDeferred(waiting.map(({ listId }) => listId));
    return new Map(
      waiting.flatMap(({ listId, touchedAt, chunksLeft }) => {
        const rows = found.get(listId);
        const closesAt = new Date(touchedAt.getTime() + this.settings.deadlineMs);
        return rows === undefined ? [] : [[listId, { ...rows, until: chunksLeft === 0 ? closesAt : null }]];
      }),
    );
  }

  /** Completes the deferred rows of a list with their latest verdicts. */
  async closeAll(listId: ListId): Promise<void> {
    const closeSome = async (job: BulkJob) => {
      const caller = await this.progress.callerFor(job);
      const results: AddressResult[] = [];
      if (caller === null) return results;
      for (const recheck of await this.rechecks.deleteSome(listId, CLOSE_BATCH_SIZE))
        results.push(await this.latestResult(listId, caller, recheck));
      return results;
    };
    while (await this.complete(listId, closeSome));
  }

  private async recordAll(listId: ListId, rechecked: readonly RecheckResult[]): Promise<void> {
    await this.complete(listId, async () => {
      const deleted = await this.rechecks.deleteClaimed(rechecked.map(({ claimed }) => claimed));
      return rechecked.filter(({ claimed }) => deleted.has(claimed.id)).map(({ result }) => result);
    });
  }

  /**
   * Records results of deferred rows.
   *
   * @param deleteRechecks deletes the rechecks, and returns their results.
   * @returns false when there were none.
   */
  private complete(
    listId: ListId,
    deleteRechecks: (job: BulkJob) => Promise<AddressResult[]>,
  ): Promise<boolean> {
    return this.work.run(async () => {
      const job = await this.jobs.findForUpdate(listId);
      // Ended in the meantime: its deferred rows are deleted.
      if (!job?.isOpen) return false;
      const results = await deleteRechecks(job);
      if (results.length === 0) return false;
      await this.lists.addResults(listId, results);
      await this.progress.advance(job, results, { deferred: -results.length, chunks: 0 });
      return true;
    });
  }

  /** The latest verdict; when it cannot be decrypted, the verdict of an address that could not be checked. */
  private async latestResult(
    listId: ListId,
    caller: Caller,
    { hash, email, rows, verdict }: LatestResult,
  ): Promise<AddressResult> {
    const address = email ?? (await this.lists.listAddresses(listId, singleHashRange(hash)))[0]?.email ?? '';
    const latest = verdict && { ...verdict, retryAfter: null };
    return {
      hash,
      rows,
      firstRow: null,
      email: address,
      verdict: latest ?? this.verification.internalErrorVerdict(caller, address),
      probed: false,
    };
  }
}
