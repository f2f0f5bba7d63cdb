import { Injectable } from '@nestjs/common';
import { Clock } from '../../../../kernel/clock.js';
import { FairSemaphore } from '../../../../kernel/concurrency/fair-semaphore.js';
import type { TeamId } from '../../../../kernel/principal.js';
import { GOES_ON, type Release, type TeamWorker } from '../../../../kernel/queue/team-work.js';
import { Tracing } from '../../../../kernel/tracing.js';
import { TeamsService } from '../../../identity/teams/team/teams.service.js';
import { RechecksService } from '../../../verification/verification/rechecks/rechecks.service.js';
import {
  VerificationService,
  type Caller,
} from '../../../verification/verification/single/verification.service.js';
import { VerifyChunkService } from '../../../verification/verification/lists/verify-chunk.service.js';
import { BulkRecordingService } from './bulk-recording.service.js';
import { BulkJobRepository } from '../domain/bulk-job.repository.js';
import { ListRepository, type AddressResult, type ListedAddress } from '../domain/list.repository.js';
import { ChunkRepository, type LeasedChunk } from '../domain/chunk.repository.js';

/**
 * After this many failures without a result a chunk is processed address by address; after one more, all of
 * its addresses are completed as `internal_error`.
 */
const MAX_ATTEMPTS = 5;
const PAUSE_SECONDS = 5;
/** Chunks that are claimed at once, so that other work keeps most connections of the process. */
const CLAIMS = 2;
/** Chunks of test keys that are verified at once. */
const TEST_CHUNKS = 4;

/** Verifies chunks of bulk jobs, outside a transaction. Results are recorded while the chunk is verified. */
@Injectable()
export class BulkVerificationService implements TeamWorker<LeasedChunk> {
  private readonly claims = new FairSemaphore({ total: CLAIMS, perKey: CLAIMS });
  private readonly testChunks = new FairSemaphore({ total: TEST_CHUNKS, perKey: TEST_CHUNKS });

  constructor(
    private readonly jobs: BulkJobRepository,
    private readonly lists: ListRepository,
    readonly units: ChunkRepository,
    private readonly verification: VerificationService,
    private readonly batches: VerifyChunkService,
    private readonly rechecks: RechecksService,
    private readonly recording: BulkRecordingService,
    private readonly teams: TeamsService,
    private readonly tracing: Tracing,
    private readonly clock: Clock,
  ) {}

  claim(team: TeamId): Promise<LeasedChunk | null> {
    return this.claims.run('', () => this.units.claim(team));
  }

  pauseAfter({ attempts }: LeasedChunk): number {
    return PAUSE_SECONDS * attempts;
  }

  /** In the trace of the submission. @param signal stops it after the next addresses. */
  run(chunk: LeasedChunk, signal: AbortSignal): Promise<Release | null> {
    const attributes = { 'rcpt.list': chunk.listId, 'rcpt.chunk': chunk.no, 'rcpt.attempt': chunk.attempts };
    const verifyChunk = () => this.verifyChunk(chunk, signal);
    // They wait for nothing in the network: more of them at once would only hold memory.
    const verify = chunk.mode === 'test' ? () => this.testChunks.run(chunk.teamId, verifyChunk) : verifyChunk;
    return this.tracing.run('verify chunk', chunk.traceparent, attributes, verify);
  }

  private async verifyChunk(chunk: LeasedChunk, signal: AbortSignal): Promise<Release | null> {
    const { teamId, mode } = chunk;
    const access = await this.teams.access(teamId, null);
    // The team was deleted.
    if (access === null) return null;
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
    return left > 0 && !lost.signal.aborted ? GOES_ON : null;
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
