import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../kernel/audit-log.js';
import { Clock } from '../../kernel/clock.js';
import { Events } from '../../kernel/events.js';
import type { ListId } from '../../kernel/ids.js';
import type { TeamId } from '../../kernel/principal.js';
import { UnitOfWork } from '../../kernel/unit-of-work.js';
import { UsageService } from '../usage/usage.service.js';
import { AddressFactsService } from '../verification/address-facts.service.js';
import { RechecksService } from '../verification/rechecks.service.js';
import type { BulkJob } from './domain/bulk-job.js';
import { BulkJobRepository, type StoredList } from './domain/bulk-job.repository.js';
import { ChunkRepository } from './domain/chunk.repository.js';
import { BulkSlots, ListRepository } from './domain/list.repository.js';

const DAY_MS = 86_400_000;
const LISTS_AT_ONCE = 1_000;
/** In each, at most 5,000 rows, results or entries of an index are deleted. */
const STEPS_IN_REQUEST = 20;
/** A deletion that began then is continued by the next sweep. */
const EPOCH = new Date(0);

/** Cancels and deletes bulk jobs, and deletes an address from all of them. */
@Injectable()
export class BulkDeletionService {
  constructor(
    private readonly jobs: BulkJobRepository,
    private readonly lists: ListRepository,
    private readonly chunks: ChunkRepository,
    private readonly facts: AddressFactsService,
    private readonly rechecks: RechecksService,
    private readonly usage: UsageService,
    private readonly events: Events,
    private readonly audit: AuditLog,
    private readonly slots: BulkSlots,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Cancels the job with its results so far; a job that has ended is not changed. @returns null when
   * there is no such job.
   */
  async cancel(listId: ListId): Promise<BulkJob | null> {
    const job = await this.work.run(() => this.cancelIfOpen(listId));
    // After the commit: recording a chunk locks the chunk first and the job last, so the reverse order
    // could deadlock.
    this.work.afterCommit(() => void this.deleteWork(listId).catch(() => undefined));
    return job;
  }

  /**
   * Deletes the job with its rows, its results and its facts; cancels it first when it is open. It is
   * hidden at once; if the process dies, a sweep continues.
   */
  async erase(listId: ListId): Promise<void> {
    const job = await this.hide(listId, this.clock.now());
    if (job !== null) await this.deleteHidden(job, Infinity);
  }

  /** As `erase`, within a request: the next sweep deletes what a long list has left. */
  async eraseSoon(listId: ListId): Promise<void> {
    const job = await this.hide(listId, this.clock.now());
    if (job !== null) await this.deleteHidden(job, STEPS_IN_REQUEST);
  }

  private async deleteHidden(job: BulkJob, steps: number): Promise<void> {
    const { listId, teamId, mode, total, createdAt } = job;
    await this.deleteWork(listId);
    for (let step = 0, goesOn = true; goesOn; step++) {
      if (step === steps) return this.leave(job, EPOCH);
      goesOn = await this.slots.run(teamId, () => this.deleteSome(job));
    }
    // Jobs of test keys are counted for their daily limit also after their deletion.
    const countedUntil = new Date(createdAt.getTime() + DAY_MS);
    if (mode === 'live' || total === 0 || countedUntil <= this.clock.now()) return this.jobs.delete(listId);
    return this.leave(job, countedUntil);
  }

  /** Leaves a hidden job to a sweep after this time. */
  private async leave(job: BulkJob, until: Date): Promise<void> {
    job.markDeleted(until);
    await this.jobs.save(job);
  }

  /** Cancels and hides all jobs of the team, so that they cost nothing more; the next sweep deletes them. */
  async deleteByTeam(teamId: TeamId): Promise<void> {
    for (const listId of await this.jobs.listByTeam(teamId)) await this.hide(listId, EPOCH);
  }

  /**
   * Deletes one address, in all spellings, from the lists of all teams. Each step commits on its own, and the
   * call can be repeated.
   *
   * @returns the number of deleted rows, and the open jobs that contain the address: nothing was deleted from them.
   */
  async eraseAddress(email: string): Promise<{ rows: number; runningJobs: string[] }> {
    const key = Buffer.from(this.facts.locate(email).key, 'hex');
    const erased = { rows: 0, runningJobs: [] as string[] };
    let page: StoredList[] = [];
    do {
      page = await this.jobs.listAll(page.at(-1)?.listId ?? null, LISTS_AT_ONCE);
      const all = page.map(({ listId }) => listId);
      const holding = new Set(await this.lists.listHolding(all, key));
      const found = page.filter(({ listId }) => holding.has(listId));
      const ended = found.filter(({ isEnded }) => isEnded).map(({ listId }) => listId);
      erased.rows += await this.lists.deleteAddress(ended, key);
      // A worker that is verifying them holds the address in memory and would store it again.
      const open = found.filter(({ isEnded }) => !isEnded);
      erased.runningJobs.push(...open.map(({ jobId }) => jobId));
    } while (page.length === LISTS_AT_ONCE);
    return erased;
  }

  /** Releases the units reserved for addresses without a result, within the open unit of work. */
  async releaseUnverified({ charge, addresses, verified }: BulkJob): Promise<void> {
    const units = addresses - verified;
    if (charge !== null && units > 0) await this.usage.release({ ...charge, units });
  }

  /** After a failure, the rows are deleted when they are claimed. */
  private async deleteWork(listId: ListId): Promise<void> {
    await this.chunks.deleteByList(listId);
    await this.rechecks.deleteByList(listId);
  }

  private hide(listId: ListId, touchedAt: Date): Promise<BulkJob | null> {
    return this.work.run(async () => {
      const job = await this.cancelIfOpen(listId);
      if (job === null) return null;
      if (job.isEnded && job.state !== 'erasing') await this.record('bulk.erased', job);
      job.markDeleted(touchedAt);
      await this.jobs.save(job);
      return job;
    });
  }

  private async cancelIfOpen(listId: ListId): Promise<BulkJob | null> {
    const job = await this.jobs.findForUpdate(listId);
    if (!job?.isOpen) return job;
    await this.events.publish(job.cancel(this.clock.now()));
    await this.releaseUnverified(job);
    await this.jobs.save(job);
    await this.record('bulk.canceled', job);
    return job;
  }

  /** @returns false when nothing was left. */
  private deleteSome({ listId, teamId, finishedAt }: BulkJob): Promise<boolean> {
    return this.work.run(async () => {
      const hashes = await this.lists.deleteSome(listId);
      if (hashes === null) return false;
      if (hashes.length > 0) await this.facts.deleteUntil(teamId, hashes, finishedAt ?? this.clock.now());
      return true;
    });
  }

  private record(action: string, { id, teamId, total, processed }: BulkJob): Promise<void> {
    return this.audit.record({
      action,
      teamId,
      target: { type: 'bulk_job', id },
      details: { total, processed },
    });
  }
}
