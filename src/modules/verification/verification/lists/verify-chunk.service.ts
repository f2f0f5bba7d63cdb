import { Injectable } from '@nestjs/common';
import { setImmediate } from 'node:timers/promises';
import { Clock } from '../../../../kernel/clock.js';
import { BatchedWriter } from '../../../../kernel/concurrency/batched-writer.js';
import { FairSemaphore } from '../../../../kernel/concurrency/fair-semaphore.js';
import { AddressFactsService } from '../facts/address-facts.service.js';
import type { FactsRecord } from '../domain/address-facts.repository.js';
import { parseEmailAddress, type EmailAddress } from '../../../../engine/address/email-address.js';
import { mapInGroups } from '../../../../kernel/concurrency/map-concurrently.js';
import { ListWindows } from '../../../../engine/list-windows.js';
import { BATCH_ITEM_TIMEOUT_MS } from '../../../../engine/engine.js';
import type { RecordedRequester } from '../../../../engine/smtp/smtp-transcript.js';
import type { Caller, KnownAddress } from '../domain/local-results.js';
import { VerificationService, type CheckedAddress } from '../single/verification.service.js';

/** The verdict of one item of a batch. */
export interface BatchItem extends CheckedAddress {
  /** Its position in the batch. */
  index: number;
}

/** An address for which there is no local result. */
interface Unresolved {
  index: number;
  email: string;
  address: EmailAddress;
  known: KnownAddress;
}

/** Facts that are stored together. */
const STORED_TOGETHER = 100;
/** Items without the network that are verified before the event loop continues. */
const UNINTERRUPTED = 25;

/** Verifies many addresses in the background. */
@Injectable()
export class VerifyChunkService {
  /** One batch at a time is verified without the network: several would take the processor from single calls. */
  private readonly localWork = new FairSemaphore({ total: 1, perKey: 1 });

  constructor(
    private readonly verification: VerificationService,
    private readonly facts: AddressFactsService,
    private readonly windows: ListWindows,
    private readonly clock: Clock,
  ) {}

  /**
   * Verifies many addresses and yields verdicts as they complete: first those that need no network,
   * together. The consumer charges for them. All facts are stored when the last group has been yielded.
   *
   * @param signal when aborted, no further address is started, so that some have no verdict.
   * @throws when the database fails; a network failure is a verdict.
   */
  async *verify(
    caller: Caller,
    emails: readonly string[],
    { maxAge, signal }: { maxAge: number | null; signal: AbortSignal },
  ): AsyncGenerator<readonly BatchItem[], void, undefined> {
    const parsed = emails.map(parseEmailAddress);
    const isLive = caller.mode === 'live';
    const keys = parsed.flatMap((candidate) => (candidate.ok && isLive ? [candidate.address.key] : []));
    const known = await this.facts.findMany(caller.teamId, keys);
    const local = await this.verification.localResults(caller);
    const done: BatchItem[] = [];
    const left: Unresolved[] = [];
    await this.localWork.run(caller.teamId, async () => {
      for (const [index, candidate] of parsed.entries()) {
        if (signal.aborted) break;
        const email = emails[index] ?? '';
        const result = local.of(candidate, known, maxAge, this.clock.now());
        if (result !== null)
          done.push({ index, ...this.verification.checked(caller, email, result, this.clock.monotonicMs()) });
        else if (candidate.ok)
          left.push({ index, email, address: candidate.address, known: known(candidate.address.key) });
        // Single calls in this process must not wait for a batch that needs no network.
        if (index % UNINTERRUPTED === UNINTERRUPTED - 1) await setImmediate();
      }
    });
    if (done.length > 0) yield done;
    yield* this.queryAll(caller, left, signal);
  }

  private async *queryAll(
    caller: Caller,
    left: readonly Unresolved[],
    signal: AbortSignal,
  ): AsyncGenerator<readonly BatchItem[], void, undefined> {
    const unstored = new BatchedWriter<FactsRecord>({
      write: (records) => this.facts.save(caller.teamId, records),
      collectMs: Number.POSITIVE_INFINITY,
      idOf: ({ key }) => key,
    });
    const requester = { team: caller.teamId, priority: 'list' as const };
    const verify = async ({ index, email, ...left }: Unresolved, found: RecordedRequester) => {
      const start = this.clock.monotonicMs();
      const probed = await this.verification.query(caller, left, BATCH_ITEM_TIMEOUT_MS, found);
      for (const record of probed.factsToStore) void unstored.add('', record);
      return { index, ...this.verification.checked(caller, email, probed.evidence, start) };
    };
    const verifyWhenFree = (item: Unresolved) =>
      this.windows.run(item.address.domain, requester, signal, (found) => verify(item, found));
    for await (const items of mapInGroups(left, left.length, verifyWhenFree)) {
      yield items.filter((item) => item !== null);
      if (unstored.waiting >= STORED_TOGETHER) await unstored.flush();
    }
    await unstored.flush();
  }
}
