import { Injectable } from '@nestjs/common';
import { setImmediate as othersFirst } from 'node:timers/promises';
import { Clock } from '../../kernel/clock.js';
import { UnitOfWork } from '../../kernel/unit-of-work.js';
import { RechecksService } from '../verification/rechecks.service.js';
import { VerificationService, type Caller } from '../verification/verification.service.js';
import { BulkProgressService } from './bulk-progress.service.js';
import type { BulkJob } from './domain/bulk-job.js';
import { BulkJobRepository } from './domain/bulk-job.repository.js';
import { ListRepository } from './domain/list.repository.js';
import type { AddressResult, LeasedChunk, ListedAddress } from './domain/chunk.js';
import { ChunkRepository } from './domain/chunk.repository.js';

/** A lease lasts a minute. */
const KEEP_EVERY_MS = 20_000;
/** A chunk that has failed so often is done address by address; one more time, and it is given up. */
const MOST_ATTEMPTS = 5;
const PAUSE_SECONDS = 5;
/** Addresses after which whoever else waits in this process has a turn. */
const TURN = 25;

/** Does the work of jobs: each part is verified outside of any transaction, and recorded inside one, once. */
@Injectable()
export class BulkVerificationService {
  constructor(
    private readonly jobs: BulkJobRepository,
    private readonly lists: ListRepository,
    private readonly parts: ChunkRepository,
    private readonly verification: VerificationService,
    private readonly rechecks: RechecksService,
    private readonly progress: BulkProgressService,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Verifies the chunk whose turn it is. @returns false: none waits. */
  async verifyNext(signal: AbortSignal): Promise<boolean> {
    const chunk = await this.parts.claimChunk();
    if (chunk === null) return false;
    try {
      await this.keeping(
        () => this.parts.renewLease(chunk),
        () => this.verifyChunk(chunk, signal),
      );
    } catch (error) {
      // If that fails too, the lease ends by itself.
      await this.parts.releaseLease(chunk, PAUSE_SECONDS * chunk.attempts, true).catch(() => undefined);
      throw error;
    }
    return true;
  }

  private async verifyChunk(chunk: LeasedChunk, signal: AbortSignal): Promise<void> {
    const job = await this.jobs.get(chunk.list);
    const asker = job && (await this.progress.askerFor(job));
    if (!job?.isOpen || asker === null) return;
    if (job.state === 'queued') await this.jobs.begin(chunk.list, this.clock.now());
    const addresses = await this.lists.addresses(chunk.list, chunk);
    const results = await this.verify(asker, addresses, job.refresh, chunk.attempts, signal);
    if (results.length < addresses.length) await this.parts.releaseLease(chunk, 0, false);
    else await this.recordChunk(chunk, job, results);
  }

  /**
   * The chunk first, then its results, and the job last: whoever else works on the job waits for it
   * no longer than it takes to add up.
   */
  private async recordChunk(
    chunk: LeasedChunk,
    { teamId, mode }: BulkJob,
    results: readonly AddressResult[],
  ): Promise<void> {
    const { list } = chunk;
    const isDeferred = ({ verdict }: AddressResult) => mode === 'live' && this.rechecks.isDeferred(verdict);
    await this.work
      .run(async () => {
        if (!(await this.parts.finishChunk(chunk))) return;
        const deferred = results.filter(isDeferred);
        const answered = results.filter((result) => !isDeferred(result));
        await this.rechecks.deferRows({ teamId, list }, deferred);
        await this.lists.record(list, answered);
        const job = await this.jobs.lockForUpdate(list);
        if (!job?.isOpen) throw new TooLate();
        await this.progress.advance(job, answered, { deferred: deferred.length, chunks: 1 });
      })
      .catch(unlessTooLate);
  }

  /** @returns fewer than asked when the process is about to end. */
  private async verify(
    asker: Caller,
    addresses: readonly ListedAddress[],
    refresh: boolean,
    attempts: number,
    signal: AbortSignal,
  ): Promise<AddressResult[]> {
    if (attempts > MOST_ATTEMPTS) return addresses.map((address) => this.givenUp(asker, address));
    if (attempts === MOST_ATTEMPTS) return this.verifyOneByOne(asker, addresses, refresh, signal);
    const results: AddressResult[] = [];
    const emails = addresses.map(({ email }) => email);
    for await (const answered of this.verification.verifyMany(asker, emails, { refresh, signal })) {
      const address = addresses[answered.index];
      if (address !== undefined)
        results.push({ ...address, verdict: answered.verdict, asked: answered.asked });
      if (results.length % TURN === 0) await othersFirst();
    }
    return results;
  }

  /** So that what is wrong with one address is not held against its neighbours. */
  private async verifyOneByOne(
    asker: Caller,
    addresses: readonly ListedAddress[],
    refresh: boolean,
    signal: AbortSignal,
  ): Promise<AddressResult[]> {
    const results: AddressResult[] = [];
    for (const address of addresses) {
      const alone = this.verify(asker, [address], refresh, 1, signal);
      results.push(...(await alone.catch(() => [this.givenUp(asker, address)])));
    }
    return results;
  }

  private givenUp(asker: Caller, address: ListedAddress): AddressResult {
    return { ...address, verdict: this.verification.giveUp(asker, address.email), asked: false };
  }

  private async keeping(keep: () => Promise<void>, work: () => Promise<void>): Promise<void> {
    // A lease that cannot be kept is lost, and then nothing is recorded under it.
    const timer = setInterval(() => void keep().catch(() => undefined), KEEP_EVERY_MS);
    await work().finally(() => clearInterval(timer));
  }
}

/** The job was ended meanwhile: what its chunk has brought is undone. */
class TooLate extends Error {}

function unlessTooLate(error: unknown): void {
  if (!(error instanceof TooLate)) throw error;
}
