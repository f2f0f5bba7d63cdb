import { Injectable } from '@nestjs/common';
import { Clock } from '../../../../kernel/clock.js';
import type { ListId } from '../../../../kernel/ids.js';
import { UnitOfWork } from '../../../../kernel/unit-of-work.js';
import { AddressFactsService } from '../../../verification/verification/facts/address-facts.service.js';
import type { BulkJob } from '../domain/bulk-job.js';
import { BulkJobRepository, type StoredList } from '../domain/bulk-job.repository.js';
import { BulkSlots, ListRepository } from '../domain/list.repository.js';
import { BulkRecordingService } from '../work/bulk-recording.service.js';
import { AT_ONCE, BulkJobsService } from './bulk-jobs.service.js';
import { append } from '../../../../kernel/long-lists.js';
import { DAY_MS } from '../../../../kernel/durations.js';

const LISTS_AT_ONCE = 1_000;
/** In each, at most 5,000 rows, results or entries of an index are deleted. */
const STEPS_IN_REQUEST = 20;

/** Deletes lists with all their rows, and an address from all lists. */
@Injectable()
export class ListErasureService {
  constructor(
    private readonly jobs: BulkJobRepository,
    private readonly lists: ListRepository,
    private readonly facts: AddressFactsService,
    private readonly bulkJobs: BulkJobsService,
    private readonly recording: BulkRecordingService,
    private readonly slots: BulkSlots,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Deletes a list with its rows, its results and its facts. If the process dies, a sweep continues. */
  async erase(listId: ListId): Promise<void> {
    await this.eraseSteps(listId, Infinity);
  }

  /** As `erase`, unless the list is not held any more. */
  async eraseHeld(listId: ListId): Promise<void> {
    await this.eraseSteps(listId, Infinity, { ifHeld: true });
  }

  /**
   * As `erase`, of an upload within its request: a sweep deletes what a long list has left.
   *
   * @param storedRows that have arrived.
   */
  async eraseInRequest(listId: ListId, storedRows: number): Promise<void> {
    await this.eraseSteps(listId, STEPS_IN_REQUEST, { storedRows });
  }

  /**
   * Deletes one address, in all spellings, from the lists of all teams; from lists by mailbox, in which they share a
   * result, all addresses of the mailbox. Each step commits on its own, and the call can be repeated.
   *
   * @returns the number of deleted rows, and the open jobs that contain the address: nothing was deleted from them.
   */
  async eraseAddress(email: string): Promise<{ rows: number; runningJobs: string[] }> {
    const [own, ofMailbox] = this.facts.keysOf(email);
    const erased = { rows: 0, runningJobs: [] as string[] };
    let page: StoredList[] = [];
    do {
      page = await this.jobs.listAll(page.at(-1)?.listId ?? null, LISTS_AT_ONCE);
      const byMailbox = page.filter(({ uniqueBy }) => uniqueBy === 'canonical');
      const open = new Set(await this.eraseKey(page, own, erased));
      if (ofMailbox !== undefined)
        for (const jobId of await this.eraseKey(byMailbox, ofMailbox, erased)) open.add(jobId);
      append(erased.runningJobs, open);
    } while (page.length === LISTS_AT_ONCE);
    return erased;
  }

  /** Deletes a key from those of the lists that have ended. @returns the open jobs that contain it. */
  private async eraseKey(
    lists: readonly StoredList[],
    addressKey: Buffer,
    erased: { rows: number },
  ): Promise<string[]> {
    const all = lists.map(({ listId }) => listId);
    const holding = new Set(await this.lists.listHolding(all, addressKey));
    const found = lists.filter(({ listId }) => holding.has(listId));
    const ended = found.filter(({ isEnded }) => isEnded).map(({ listId }) => listId);
    erased.rows += await this.lists.deleteAddress(ended, addressKey);
    // A worker that is verifying them holds the address in memory and would store it again.
    return found.filter(({ isEnded }) => !isEnded).map(({ jobId }) => jobId);
  }

  private async eraseSteps(listId: ListId, steps: number, condition = {}): Promise<void> {
    const job = await this.bulkJobs.hide(listId, this.clock.now(), condition);
    if (job === null) return;
    await this.recording.deleteWork(listId);
    for (let step = 0; step < steps; step++)
      if (!(await this.slots.run(job.teamId, () => this.deleteSome(job)))) return this.deleteJob(job);
    await this.leave(job, AT_ONCE);
  }

  /** Some jobs count for a limit of their day also after their deletion: a sweep deletes them after that. */
  private async deleteJob(job: BulkJob): Promise<void> {
    const countedUntil = new Date(job.createdAt.getTime() + DAY_MS);
    if (!job.isCounted || countedUntil <= this.clock.now()) return this.jobs.delete(job.listId);
    await this.leave(job, countedUntil);
  }

  /** Leaves a hidden job to a sweep after this time. */
  private async leave(job: BulkJob, until: Date): Promise<void> {
    job.startErasure(until);
    await this.jobs.save(job);
  }

  /** @returns false when nothing was left. */
  private deleteSome({ listId, uniqueBy, teamId, finishedAt }: BulkJob): Promise<boolean> {
    return this.work.run(async () => {
      const probed = await this.lists.deleteSome({ listId, uniqueBy });
      if (probed === null) return false;
      const hashes = probed.map((each) => (typeof each === 'string' ? this.facts.identify(each) : each));
      if (hashes.length > 0) await this.facts.deleteUntil(teamId, hashes, finishedAt ?? this.clock.now());
      return true;
    });
  }
}
