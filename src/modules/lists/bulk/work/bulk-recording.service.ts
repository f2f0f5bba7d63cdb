import { Injectable } from '@nestjs/common';
import { Clock } from '../../../../kernel/clock.js';
import { BatchedWriter } from '../../../../kernel/concurrency/batched-writer.js';
import { FairSemaphore } from '../../../../kernel/concurrency/fair-semaphore.js';
import { Events } from '../../../../kernel/events.js';
import type { ListId } from '../../../../kernel/ids.js';
import { UnitOfWork } from '../../../../kernel/unit-of-work.js';
import { TeamsService } from '../../../identity/teams/team/teams.service.js';
import { isFree, UsageService, type ChargeableVerdict } from '../../../identity/usage/usage.service.js';
import {
  RechecksService,
  type ClaimedRecheck,
  type Recheck,
} from '../../../verification/verification/rechecks/rechecks.service.js';
import {
  VerificationService,
  type Caller,
  type CheckedAddress,
} from '../../../verification/verification/single/verification.service.js';
import type { BulkJob, JobEndedEvent, Progress } from '../domain/bulk-job.js';
import { BulkJobRepository } from '../domain/bulk-job.repository.js';
import { ChunkRepository, type ChunkResults, type LeasedChunk } from '../domain/chunk.repository.js';
import { singleKeyRange } from '../domain/hash-range.js';
import { ListRepository, type AddressResult } from '../domain/list.repository.js';
import { ListMailsService } from './list-mails.service.js';

/** Results of a chunk. */
interface Part extends ChunkResults {
  /** Called when its lease is lost, or its job has ended: nothing more can be recorded. */
  onLost: () => void;
}

interface RecheckResult {
  claimed: ClaimedRecheck;
  result: AddressResult;
}

/** A killed process repeats what it collected in this time. */
const COLLECT_MS = 250;
const ROWS_WRITTEN = 1_000;
/** Of the ten connections of a process. */
const WRITES = 4;
const CLOSED_AT_ONCE = 500;

/**
 * How a result enters a job: from a chunk, from a recheck, or the latest verdict of a deferred row; and how a job
 * ends. Whatever enters is charged in the same unit of work. Chunks are locked before their job, never after it, and
 * the job only briefly.
 */
@Injectable()
export class BulkRecordingService {
  private readonly parts = new BatchedWriter<Part>({
    write: (parts, listId) => this.writeInTurn(listId as ListId, parts),
    collectMs: COLLECT_MS,
    maxSize: ROWS_WRITTEN,
    sizeOf: ({ results }) => results.length,
    retriesEach: true,
  });
  private readonly writes = new FairSemaphore({ total: WRITES, perKey: WRITES });
  /**
   * Grouped by list: transactions of one list wait for each other at its job, and must not use up the
   * connection pool.
   */
  private readonly rechecked = new BatchedWriter<RecheckResult>({
    write: (results, listId) => this.writeRechecked(listId as ListId, results),
    retriesEach: true,
  });

  constructor(
    private readonly jobs: BulkJobRepository,
    private readonly lists: ListRepository,
    private readonly chunks: ChunkRepository,
    private readonly rechecks: RechecksService,
    private readonly verification: VerificationService,
    private readonly teams: TeamsService,
    private readonly usage: UsageService,
    private readonly events: Events,
    private readonly mails: ListMailsService,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Collects the results of all chunks of a list. Resolves when they are recorded, or the lease is lost. The end of a
   * chunk waits for no further results, because it may be the end of the list.
   */
  record(part: Part): Promise<void> {
    const recorded = this.parts.add(part.chunk.listId, part);
    if (part.isLast) this.recordWaiting(part.chunk);
    return recorded;
  }

  /** Begins to record what is collected for the list. */
  recordWaiting({ listId }: LeasedChunk): void {
    // Whoever added the results learns of a failure.
    this.parts.flush(listId).catch(() => undefined);
  }

  /** false: the job has ended or was deleted. */
  async isOpen(listId: ListId): Promise<boolean> {
    return (await this.jobs.findByList(listId))?.isOpen ?? false;
  }

  /** Records the final verdict of a deferred row, unless the lease was lost. */
  recordRecheck(
    listId: ListId,
    claimed: ClaimedRecheck,
    { verdict, fromNetwork }: CheckedAddress,
  ): Promise<void> {
    const { addressHash: addressKey, rows, email } = claimed;
    const row = { addressKey, rows, firstRow: null, email: email ?? verdict.email };
    return this.rechecked.add(listId, { claimed, result: { ...row, verdict, probed: fromNetwork } });
  }

  /** Records the latest verdict of a deferred row that cannot be checked. */
  async recordUnchecked(listId: ListId, claimed: ClaimedRecheck): Promise<void> {
    const job = await this.jobs.findByList(listId);
    const caller = job && (await this.callerOf(job));
    if (caller === null) return;
    await this.rechecked.add(listId, { claimed, result: await this.latestResult(listId, caller, claimed) });
  }

  /** Completes the deferred rows of a list with their latest verdicts. */
  async closeDeferred(listId: ListId): Promise<void> {
    const closeSome = async (job: BulkJob) => {
      const caller = await this.callerOf(job);
      const results: AddressResult[] = [];
      if (caller === null) return results;
      for (const recheck of await this.rechecks.deleteSome(listId, CLOSED_AT_ONCE))
        results.push(await this.latestResult(listId, caller, recheck));
      return results;
    };
    while (await this.writeDeferred(listId, closeSome));
  }

  /** Ends an open job with its results so far, within the open unit of work; `deleteWork` after it. */
  cancel(job: BulkJob): Promise<void> {
    return this.save(job, job.cancel(this.clock.now()));
  }

  /**
   * Deletes the chunks and rechecks of a job that has ended. Not in the unit of work that ended it, which has locked
   * the job. After a failure they are deleted when they are claimed.
   */
  async deleteWork(listId: ListId): Promise<void> {
    await this.chunks.deleteByList(listId);
    await this.rechecks.deleteByList(listId);
  }

  private writeInTurn(listId: ListId, parts: readonly Part[]): Promise<void> {
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

  private async writeParts(listId: ListId, parts: readonly Part[]): Promise<void> {
    const held = await this.chunks.advance(listId, parts);
    const kept = parts.filter(({ chunk }) => held.has(chunk.lease));
    for (const part of parts) if (!kept.includes(part)) part.onLost();
    if (kept.length === 0) return;
    const deferred: AddressResult[] = [];
    const recorded: AddressResult[] = [];
    for (const { chunk, results } of kept)
      for (const result of results) (this.isDeferred(chunk, result) ? deferred : recorded).push(result);
    const { teamId, uniqueBy } = kept[0]!.chunk;
    await this.rechecks.deferRows({ teamId, listId }, deferred);
    await this.lists.addResults({ listId, uniqueBy }, recorded);
    const job = await this.jobs.findForUpdate(listId);
    if (!job?.isOpen) throw new JobEnded();
    const chunks = kept.filter(({ isLast }) => isLast).length;
    await this.advance(job, recorded, { deferred: deferred.length, chunks });
  }

  private isDeferred({ mode }: LeasedChunk, { verdict }: AddressResult): boolean {
    return mode === 'live' && this.rechecks.isDeferred(verdict);
  }

  private async writeRechecked(listId: ListId, rechecked: readonly RecheckResult[]): Promise<void> {
    await this.writeDeferred(listId, async () => {
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
  private writeDeferred(
    listId: ListId,
    deleteRechecks: (job: BulkJob) => Promise<AddressResult[]>,
  ): Promise<boolean> {
    return this.work.run(async () => {
      const job = await this.jobs.findForUpdate(listId);
      // Ended in the meantime: its deferred rows are deleted.
      if (!job?.isOpen) return false;
      const results = await deleteRechecks(job);
      if (results.length === 0) return false;
      await this.lists.addResults(job, await this.withFirstRows(job, results));
      await this.advance(job, results, { deferred: -results.length, chunks: 0 });
      return true;
    });
  }

  /** A recheck does not have the first row of an address; a result of several rows in a list by mailbox does. */
  private async withFirstRows(
    { listId, uniqueBy }: BulkJob,
    results: readonly AddressResult[],
  ): Promise<readonly AddressResult[]> {
    if (uniqueBy === 'address') return results;
    const found: AddressResult[] = [];
    for (const result of results) {
      const isShared = result.rows > 1 && result.firstRow === null;
      const listed = isShared
        ? await this.lists.listAddresses(listId, singleKeyRange(result.addressKey))
        : [];
      found.push({ ...result, firstRow: listed[0]?.firstRow ?? result.firstRow });
    }
    return found;
  }

  /** Charges the results and advances the job, within the open unit of work. */
  private async advance(
    job: BulkJob,
    results: readonly AddressResult[],
    moved: Omit<Progress, 'charged'>,
  ): Promise<void> {
    // Those of test keys are neither charged nor counted.
    const chargeable = job.mode === 'live' ? results.flatMap(chargeableOf) : [];
    const charged = chargeable.filter(({ free }) => !free).length;
    if (job.charge !== null)
      await this.usage.chargeReserved({ ...job.charge, units: results.length }, chargeable);
    await this.save(job, job.advance(results, { ...moved, charged }, this.clock.now()));
  }

  /** @param ended the event, if the job has ended: units that are reserved for addresses without a result are released. */
  private async save(job: BulkJob, ended: JobEndedEvent | null): Promise<void> {
    const { charge, addresses, verified } = job;
    const units = addresses - verified;
    if (ended !== null && charge !== null && units > 0) await this.usage.release({ ...charge, units });
    await this.jobs.save(job);
    if (ended === null) return;
    await this.events.publish(ended);
    await this.mails.queue(job);
  }

  /** With the current rules and tier; null: the team was deleted. */
  private async callerOf({ teamId, mode }: BulkJob): Promise<Caller | null> {
    const access = await this.teams.access(teamId, null);
    return access && { ...access, teamId, mode };
  }

  /** The latest verdict; when it cannot be decrypted, the verdict of an address that could not be checked. */
  private async latestResult(
    listId: ListId,
    caller: Caller,
    { addressHash: addressKey, email, rows, verdict }: Recheck,
  ): Promise<AddressResult> {
    const address =
      email ?? (await this.lists.listAddresses(listId, singleKeyRange(addressKey)))[0]?.email ?? '';
    const latest = verdict && { ...verdict, retryAfter: null };
    return {
      addressKey,
      rows,
      firstRow: null,
      email: address,
      verdict: latest ?? this.verification.internalErrorVerdict(caller, address),
      probed: false,
    };
  }
}

/** One per row; only the first row of an address may be charged. */
function chargeableOf({ verdict, rows }: AddressResult): ChargeableVerdict[] {
  const free: ChargeableVerdict = { kind: 'bulk', status: verdict.status, free: true };
  const verdicts = new Array<ChargeableVerdict>(rows).fill(free);
  verdicts[0] = { ...free, free: isFree(verdict) };
  return verdicts;
}

/** The job has ended in the meantime: the results are rolled back. */
class JobEnded extends Error {}
