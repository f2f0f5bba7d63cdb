import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { FairSemaphore } from '../../../kernel/concurrency/fair-semaphore.js';
import type { TeamId } from '../../../kernel/principal.js';
import { Tracing } from '../../../kernel/tracing.js';
import { TeamsService } from '../../teams/teams.service.js';
import { RechecksService } from '../../verification/rechecks.service.js';
import { VerificationService, type Caller } from '../../verification/verification.service.js';
import { VerifyChunkService } from '../../verification/verify-chunk.service.js';
import { BulkRecordingService } from './bulk-recording.service.js';
import { BulkJobRepository } from '../domain/bulk-job.repository.js';
import { ListRepository, type AddressResult, type ListedAddress } from '../domain/list.repository.js';
import { ChunkRepository, type LeasedChunk } from '../domain/chunk.repository.js';

/** A lease lasts a minute. */
const RENEW_INTERVAL_MS = 20_000;
/**
 * After this many failures without a result a chunk is processed address by address; after one more, all of
 * its addresses are completed as `internal_error`.
 */
const MAX_ATTEMPTS = 5;
const PAUSE_SECONDS = 5;
/** For as long as a lease lasts. */
const RELEASE_TRIES = 60;
const RELEASE_PAUSE_MS = 1_000;
/** Chunks that are claimed at once, so that other work keeps most connections of the process. */
const CLAIMS = 2;
/** Chunks of test keys that are verified at once. */
const TEST_CHUNKS = 4;

/** Verifies chunks of bulk jobs, outside a transaction. Results are recorded while the chunk is verified. */
@Injectable()
export class BulkVerificationService {
  private readonly claims = new FairSemaphore({ total: CLAIMS, perKey: CLAIMS });
  private readonly testChunks = new FairSemaphore({ total: TEST_CHUNKS, perKey: TEST_CHUNKS });

  constructor(
    private readonly jobs: BulkJobRepository,
    private readonly lists: ListRepository,
    private readonly chunks: ChunkRepository,
    private readonly verification: VerificationService,
    private readonly batches: VerifyChunkService,
    private readonly rechecks: RechecksService,
    private readonly recording: BulkRecordingService,
    private readonly teams: TeamsService,
    private readonly tracing: Tracing,
    private readonly clock: Clock,
  ) {}

  /** Claims the next chunk of a team. @returns null when none can be verified now. */
  claim(team: TeamId): Promise<LeasedChunk | null> {
    return this.claims.run('', () => this.chunks.claim(team));
  }

  /** In the trace of the submission. @param signal stops it after the next addresses. */
  async verify(chunk: LeasedChunk, signal: AbortSignal): Promise<void> {
    const attributes = { 'rcpt.list': chunk.listId, 'rcpt.chunk': chunk.no, 'rcpt.attempt': chunk.attempts };
    // When the lease cannot be renewed it is lost, and nothing is recorded under it.
    const renew = () => void this.chunks.renew(chunk).catch(() => undefined);
    const timer = setInterval(renew, RENEW_INTERVAL_MS);
    try {
      const verifyChunk = () => this.verifyChunk(chunk, signal);
      // They wait for nothing in the network: more of them at once would only hold memory.
      const verify =
        chunk.mode === 'test' ? () => this.testChunks.run(chunk.teamId, verifyChunk) : verifyChunk;
      await this.tracing.run('verify chunk', chunk.traceparent, attributes, verify);
    } catch (error) {
      clearInterval(timer);
      await this.releaseFailed(chunk, signal);
      throw error;
    } finally {
      clearInterval(timer);
    }
  }

  /**
   * If the database is away too, the chunk is released once it is back, and the failure is not the chunk's. Otherwise
   * its list would stand still until the lease expires.
   */
  private async releaseFailed(chunk: LeasedChunk, signal: AbortSignal): Promise<void> {
    const pauseSeconds = PAUSE_SECONDS * chunk.attempts;
    if (await this.isReleased(chunk, pauseSeconds, true)) return;
    for (let tries = 1; tries < RELEASE_TRIES && !signal.aborted; tries++) {
      await this.clock.pause(RELEASE_PAUSE_MS, signal).catch(() => undefined);
      if (await this.isReleased(chunk, 0, false)) return;
    }
  }

  private isReleased(chunk: LeasedChunk, pauseSeconds: number, counts: boolean): Promise<boolean> {
    return this.chunks.release(chunk, pauseSeconds, counts).then(
      () => true,
      () => false,
    );
  }

  private async verifyChunk(chunk: LeasedChunk, signal: AbortSignal): Promise<void> {
    const { teamId, mode } = chunk;
    const access = await this.teams.access(teamId, null);
    // The team was deleted.
    if (access === null) return;
    const caller = { ...access, teamId, mode };
    if (chunk.isQueued) await this.jobs.markStarted(chunk.listId, this.clock.now());
    const addresses = await this.claims.run('', () => this.addressesOf(chunk));
    const lost = new AbortController();
    const onLost = () => lost.abort();
    const running = { ...chunk, signal: AbortSignal.any([signal, lost.signal]) };
    const records: Promise<void>[] = [];
    let left = addresses.length;
    for await (const results of this.results(caller, addresses, running)) {
      left -= results.length;
      // The last results are recorded after all others, because the chunk ends with them.
      if (left === 0 && records.length > 0) {
        this.recording.recordWaiting(chunk);
        await Promise.all(records);
      }
      const record = this.recording.record({ chunk, results, isLast: left === 0, onLost });
      // The first failure ends the chunk; it is thrown below.
      record.catch(onLost);
      records.push(record);
    }
    await Promise.all(records);
    if (addresses.length === 0) await this.recording.record({ chunk, results: [], isLast: true, onLost });
    else if (left > 0 && !lost.signal.aborted) await this.chunks.release(chunk, 0, false);
  }

  /** Those without a result. */
  private async addressesOf(chunk: LeasedChunk): Promise<ListedAddress[]> {
    const { listId, recorded } = chunk;
    const addresses = await this.lists.listAddresses(listId, chunk);
    if (recorded === 0) return addresses;
    const open = await this.lists.listWithoutResult(listId, addresses);
    const deferred = await this.rechecks.listDeferredKeys(
      listId,
      open.map(({ addressKey }) => addressKey),
    );
    return open.filter(({ addressKey }) => !deferred.has(addressKey.toString('hex')));
  }

  /** Yields fewer results than addresses when the signal aborts. */
  private async *results(
    caller: Caller,
    addresses: readonly ListedAddress[],
    chunk: RunningChunk,
  ): AsyncGenerator<readonly AddressResult[], void, undefined> {
    if (chunk.attempts < MAX_ATTEMPTS) return yield* this.verifyAll(caller, addresses, chunk);
    for (const address of addresses)
      try {
        if (chunk.attempts > MAX_ATTEMPTS) throw new Error('The process may have ended because of it');
        yield* this.verifyAll(caller, [address], chunk);
      } catch {
        const verdict = this.verification.internalErrorVerdict(caller, address.email);
        yield [{ ...address, verdict, probed: false }];
      }
  }

  private async *verifyAll(
    caller: Caller,
    addresses: readonly ListedAddress[],
    { refresh, maxAge, signal }: RunningChunk,
  ): AsyncGenerator<readonly AddressResult[], void, undefined> {
    const emails = addresses.map(({ email }) => email);
    const options = { maxAge: refresh ? 0 : maxAge, signal };
    for await (const group of this.batches.verify(caller, emails, options))
      yield group.flatMap(({ index, verdict, fromNetwork }) => {
        const address = addresses[index];
        return address === undefined ? [] : [{ ...address, verdict, probed: fromNetwork }];
      });
  }
}

/** A chunk that is verified until the signal aborts. */
interface RunningChunk extends LeasedChunk {
  signal: AbortSignal;
}
