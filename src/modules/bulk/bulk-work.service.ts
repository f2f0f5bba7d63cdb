import { Injectable } from '@nestjs/common';
import { setImmediate as othersFirst } from 'node:timers/promises';
import { Clock } from '../../kernel/clock.js';
import { Events } from '../../kernel/events.js';
import { UnitOfWork } from '../../kernel/unit-of-work.js';
import { TeamsService } from '../teams/teams.service.js';
import { UsageService, type Answered } from '../usage/usage.service.js';
import { VerificationService, type Asker } from '../verification/verification.service.js';
import { BulkEndingService } from './bulk-ending.service.js';
import type { BulkJob, CountsByReason, Progress } from './domain/bulk-job.js';
import { BulkJobRepository } from './domain/bulk-job.repository.js';
import { ListRepository } from './domain/list.repository.js';
import {
  nextAsking,
  type AddressResult,
  type HeldChunk,
  type HeldParked,
  type ListedAddress,
} from './domain/part.js';
import { WorkRepository } from './domain/work.repository.js';

/** A lease lasts a minute. */
const KEEP_EVERY_MS = 20_000;
/** A chunk that has failed so often is done address by address; one more time, and it is given up. */
const MOST_ATTEMPTS = 5;
const PAUSE_SECONDS = 5;
/** Addresses after which whoever else waits in this process has a turn. */
const TURN = 25;

/** Does the work of jobs: each part is verified outside of any transaction, and recorded inside one, once. */
@Injectable()
export class BulkWorkService {
  constructor(
    private readonly jobs: BulkJobRepository,
    private readonly lists: ListRepository,
    private readonly parts: WorkRepository,
    private readonly verification: VerificationService,
    private readonly teams: TeamsService,
    private readonly usage: UsageService,
    private readonly ending: BulkEndingService,
    private readonly events: Events,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Verifies the chunk whose turn it is. @returns false: none waits. */
  async verifyNext(signal: AbortSignal): Promise<boolean> {
    const chunk = await this.parts.claimChunk();
    if (chunk === null) return false;
    try {
      await this.keeping(
        () => this.parts.keepChunk(chunk),
        () => this.verifyChunk(chunk, signal),
      );
    } catch (error) {
      // If that fails too, the lease ends by itself.
      await this.parts.giveBackChunk(chunk, PAUSE_SECONDS * chunk.attempts, true).catch(() => undefined);
      throw error;
    }
    return true;
  }

  /** Asks some parked addresses again. @returns false: none is due. */
  async askAgain(signal: AbortSignal): Promise<boolean> {
    const held = await this.parts.claimParked(this.clock.now());
    if (held === null) return false;
    try {
      await this.keeping(
        () => this.parts.keepParked(held),
        () => this.verifyParked(held, signal),
      );
    } finally {
      // What was recorded is not there any more.
      await this.parts.giveBackParked(held).catch(() => undefined);
    }
    return true;
  }

  /** Closes some of what a list has parked with what is known. @returns false: nothing was left. */
  closeParked(list: string, limit: number): Promise<boolean> {
    return this.work.run(async () => {
      const job = await this.jobs.hold(list);
      if (!job?.isOpen) return false;
      const taken = await this.parts.takeAnyParked(list, limit);
      if (taken.length === 0) return false;
      const results = taken.map((address) => ({ ...address, asked: false }));
      await this.lists.record(list, results);
      await this.advance(job, results, { parked: -results.length, chunks: 0 });
      return true;
    });
  }

  private async verifyChunk(chunk: HeldChunk, signal: AbortSignal): Promise<void> {
    const job = await this.jobs.get(chunk.list);
    const asker = job && (await this.askerFor(job));
    if (!job?.isOpen || asker === null) return;
    if (job.state === 'queued') await this.jobs.begin(chunk.list, this.clock.now());
    const addresses = await this.lists.addresses(chunk.list, chunk);
    const results = await this.verify(asker, addresses, job.refresh, chunk.attempts, signal);
    if (results.length < addresses.length) await this.parts.giveBackChunk(chunk, 0, false);
    else await this.recordChunk(chunk, results);
  }

  /**
   * The chunk first, then its results, and the job last: whoever else works on the job waits for it
   * no longer than it takes to add up.
   */
  private async recordChunk(chunk: HeldChunk, results: readonly AddressResult[]): Promise<void> {
    const { list } = chunk;
    const now = this.clock.now();
    const due = nextAsking({ asked: 0, parkedAt: now });
    const isParked = ({ verdict }: AddressResult) => due !== null && verdict.reason === 'greylisted';
    await this.work
      .run(async () => {
        if (!(await this.parts.finishChunk(chunk))) return;
        const parked = chunk.mode === 'live' ? results.filter(isParked) : [];
        const answered = parked.length === 0 ? results : results.filter((result) => !isParked(result));
        if (due !== null) await this.parts.park(list, parked, now, due);
        await this.lists.record(list, answered);
        const job = await this.jobs.hold(list);
        if (!job?.isOpen) throw new TooLate();
        await this.advance(job, answered, { parked: parked.length, chunks: 1 });
      })
      .catch(unlessTooLate);
  }

  private async verifyParked(held: HeldParked, signal: AbortSignal): Promise<void> {
    const job = await this.jobs.get(held.list);
    const asker = job && (await this.askerFor(job));
    if (!job?.isOpen || asker === null) return;
    const results = await this.verify(asker, held.addresses, false, 1, signal);
    await this.work.run(async () => {
      const open = await this.jobs.hold(held.list);
      if (!open?.isOpen) return;
      const answered = await this.putOffAgain(held, results);
      const taken = new Set(
        (
          await this.parts.takeParked(
            held,
            answered.map(({ hash }) => hash),
          )
        ).map(hex),
      );
      const ours = answered.filter(({ hash }) => taken.has(hex(hash)));
      await this.lists.record(held.list, ours);
      if (ours.length > 0) await this.advance(open, ours, { parked: -ours.length, chunks: 0 });
    });
  }

  /** @returns those that need not be asked again. */
  private async putOffAgain(held: HeldParked, results: readonly AddressResult[]): Promise<AddressResult[]> {
    const parked = new Map(held.addresses.map((address) => [hex(address.hash), address]));
    const answered: AddressResult[] = [];
    for (const result of results) {
      const address = parked.get(hex(result.hash));
      if (address === undefined) continue;
      const again = { ...address, verdict: result.verdict, asked: address.asked + 1 };
      const due = result.verdict.reason === 'greylisted' ? nextAsking(again) : null;
      if (due === null) answered.push(result);
      else await this.parts.postpone(held, again, due);
    }
    return answered;
  }

  /** @returns fewer than asked when the process is about to end. */
  private async verify(
    asker: Asker,
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
    asker: Asker,
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

  private givenUp(asker: Asker, address: ListedAddress): AddressResult {
    return { ...address, verdict: this.verification.giveUp(asker, address.email), asked: false };
  }

  /** What results cost, where the job stands and perhaps the news of its end: together or not at all. */
  private async advance(
    job: BulkJob,
    results: readonly AddressResult[],
    moved: Pick<Progress, 'parked' | 'chunks'>,
  ): Promise<void> {
    const answered = results.flatMap((result) => this.answersOf(result));
    const charged = job.mode === 'live' ? answered.filter(({ free }) => !free).length : 0;
    if (job.charge !== null) await this.usage.settle({ ...job.charge, units: results.length }, answered);
    const progress = { ...moved, rows: answered.length, addresses: results.length, charged };
    const news = job.advance({ ...progress, byReason: countByReason(results) }, this.clock.now());
    if (job.isEnded) await this.ending.returnRest(job);
    await this.jobs.save(job);
    if (news !== null) await this.events.publish(news);
  }

  /** One for each row; only the first of an address may cost. */
  private answersOf({ verdict, rows }: AddressResult): Answered[] {
    const free: Answered = { kind: 'bulk', status: verdict.status, free: true };
    const answers = new Array<Answered>(rows).fill(free);
    answers[0] = { ...free, free: this.verification.isFree(verdict) };
    return answers;
  }

  /** With the rules and the tier of now; null: the team is gone, and the job will be. */
  private async askerFor({ teamId, mode }: BulkJob): Promise<Asker | null> {
    const standing = await this.teams.standing(teamId, null);
    return standing && { teamId, mode, tier: standing.tier, rules: standing.rules };
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

function countByReason(results: readonly AddressResult[]): CountsByReason {
  const counts: CountsByReason = {};
  for (const { verdict, rows } of results) counts[verdict.reason] = (counts[verdict.reason] ?? 0) + rows;
  return counts;
}

const hex = (hash: Buffer) => hash.toString('hex');
