import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { UnitOfWork } from '../../kernel/unit-of-work.js';
import { RechecksService } from '../verification/rechecks.service.js';
import { VerificationService, type Caller } from '../verification/verification.service.js';
import { VerifyChunkService } from '../verification/verify-chunk.service.js';
import { BulkProgressService } from './bulk-progress.service.js';
import { BulkJobRepository } from './domain/bulk-job.repository.js';
import { ListRepository } from './domain/list.repository.js';
import type { AddressResult, LeasedChunk, ListedAddress } from './domain/chunk.js';
import { ChunkRepository } from './domain/chunk.repository.js';

/** A lease lasts a minute. */
const RENEW_INTERVAL_MS = 20_000;
/**
 * After this many failures a chunk is processed address by address; after one more, all of its addresses
 * are completed as `internal_error`.
 */
const MAX_ATTEMPTS = 5;
const PAUSE_SECONDS = 5;

/**
 * Processes chunks of bulk jobs: each chunk is verified outside a transaction and recorded once, inside
 * one.
 */
@Injectable()
export class BulkVerificationService {
  constructor(
    private readonly jobs: BulkJobRepository,
    private readonly lists: ListRepository,
    private readonly chunks: ChunkRepository,
    private readonly verification: VerificationService,
    private readonly batches: VerifyChunkService,
    private readonly rechecks: RechecksService,
    private readonly progress: BulkProgressService,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Verifies chunks until none waits. @param signal stops it after the next address. */
  async verifyWaiting(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await this.verifyNext(signal)));
  }

  /** Verifies the next chunk. @returns false when none waits. */
  async verifyNext(signal: AbortSignal): Promise<boolean> {
    const chunk = await this.chunks.claimChunk();
    if (chunk === null) return false;
    try {
      await this.withLease(
        () => this.chunks.renewLease(chunk),
        () => this.verifyChunk(chunk, signal),
      );
    } catch (error) {
      // If this fails too, the lease expires.
      await this.chunks.releaseLease(chunk, PAUSE_SECONDS * chunk.attempts, true).catch(() => undefined);
      throw error;
    }
    return true;
  }

  private async verifyChunk(chunk: LeasedChunk, signal: AbortSignal): Promise<void> {
    const caller = await this.progress.callerFor(chunk);
    if (caller === null) return;
    if (chunk.isQueued) await this.jobs.begin(chunk.list, this.clock.now());
    const addresses = await this.lists.addresses(chunk.list, chunk);
    const results = await this.verify(caller, addresses, chunk.refresh, chunk.attempts, signal);
    if (results.length < addresses.length) await this.chunks.releaseLease(chunk, 0, false);
    else await this.recordChunk(chunk, results);
  }

  /**
   * Locks the chunk first, then writes its results, and locks the job last, so that the job is locked
   * only briefly.
   */
  private async recordChunk(chunk: LeasedChunk, results: readonly AddressResult[]): Promise<void> {
    const { list, teamId, mode } = chunk;
    const isDeferred = ({ verdict }: AddressResult) => mode === 'live' && this.rechecks.isDeferred(verdict);
    await this.work
      .run(async () => {
        if (!(await this.chunks.finishChunk(chunk))) return;
        const deferred = results.filter(isDeferred);
        const answered = results.filter((result) => !isDeferred(result));
        await this.rechecks.deferRows({ teamId, list }, deferred);
        await this.lists.record(list, answered);
        const job = await this.jobs.lockForUpdate(list);
        if (!job?.isOpen) throw new JobEnded();
        await this.progress.advance(job, answered, { deferred: deferred.length, chunks: 1 });
      })
      .catch(async (error: unknown) => {
        if (!(error instanceof JobEnded)) throw error;
        // The deletion of the job's chunks skips those that are locked, as this one was.
        await this.chunks.deleteByList(list);
      });
  }

  /** @returns fewer results than addresses when the process shuts down. */
  private async verify(
    caller: Caller,
    addresses: readonly ListedAddress[],
    refresh: boolean,
    attempts: number,
    signal: AbortSignal,
  ): Promise<AddressResult[]> {
    if (attempts > MAX_ATTEMPTS) return addresses.map((address) => this.faultResult(caller, address));
    if (attempts === MAX_ATTEMPTS) return this.verifyOneByOne(caller, addresses, refresh, signal);
    const results: AddressResult[] = [];
    const emails = addresses.map(({ email }) => email);
    for await (const group of this.batches.verify(caller, emails, { refresh, signal })) {
      for (const { index, verdict, fromNetwork } of group) {
        const address = addresses[index];
        if (address === undefined) continue;
        const { hash, email, rows, firstRow } = address;
        results.push({ hash, email, rows, firstRow, verdict, asked: fromNetwork });
      }
    }
    return results;
  }

  /** Isolates an address that makes the chunk fail. */
  private async verifyOneByOne(
    caller: Caller,
    addresses: readonly ListedAddress[],
    refresh: boolean,
    signal: AbortSignal,
  ): Promise<AddressResult[]> {
    const results: AddressResult[] = [];
    for (const address of addresses) {
      const single = this.verify(caller, [address], refresh, 1, signal);
      results.push(...(await single.catch(() => [this.faultResult(caller, address)])));
    }
    return results;
  }

  private faultResult(caller: Caller, address: ListedAddress): AddressResult {
    return { ...address, verdict: this.verification.faultVerdict(caller, address.email), asked: false };
  }

  private async withLease(renew: () => Promise<void>, work: () => Promise<void>): Promise<void> {
    // When the lease cannot be renewed it is lost, and nothing is recorded under it.
    const timer = setInterval(() => void renew().catch(() => undefined), RENEW_INTERVAL_MS);
    await work().finally(() => clearInterval(timer));
  }
}

/** The job has ended in the meantime: the results of the chunk are rolled back. */
class JobEnded extends Error {}
