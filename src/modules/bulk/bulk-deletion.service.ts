import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../kernel/audit-log.js';
import { Clock } from '../../kernel/clock.js';
import { Events } from '../../kernel/events.js';
import type { TeamId } from '../../kernel/principal.js';
import { UnitOfWork } from '../../kernel/unit-of-work.js';
import { UsageService } from '../usage/usage.service.js';
import { AddressFactsService } from '../verification/address-facts.service.js';
import { RechecksService } from '../verification/rechecks.service.js';
import type { BulkJob } from './domain/bulk-job.js';
import { BulkJobRepository } from './domain/bulk-job.repository.js';
import { BulkSlots } from './domain/bulk-slots.js';
import { ListRepository } from './domain/list.repository.js';
import { ChunkRepository } from './domain/chunk.repository.js';

const DAY_MS = 86_400_000;
const LONG_AGO = new Date(0);

/** How jobs end before their time, and how they are erased. */
@Injectable()
export class BulkDeletionService {
  constructor(
    private readonly jobs: BulkJobRepository,
    private readonly lists: ListRepository,
    private readonly parts: ChunkRepository,
    private readonly facts: AddressFactsService,
    private readonly rechecks: RechecksService,
    private readonly usage: UsageService,
    private readonly events: Events,
    private readonly audit: AuditLog,
    private readonly slots: BulkSlots,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Ends the job with what it has; one that has ended stays as it is. @returns null: there is none any more. */
  async cancel(list: string): Promise<BulkJob | null> {
    const job = await this.work.run(() => this.end(list));
    // Afterwards: who records a chunk holds that first and the job last, and must not be waited for the other way round.
    this.work.afterCommit(() => void this.drop(list).catch(() => undefined));
    return job;
  }

  /**
   * Erases the job with its rows, its results, and the facts that it brought; cancels it first when
   * it is open. Nobody sees it from the first moment on; if the process dies on the way, a sweep goes on.
   */
  async erase(list: string): Promise<void> {
    const job = await this.vanish(list, this.clock.now());
    if (job === null) return;
    await this.drop(list);
    while (await this.slots.run(job.teamId, () => this.eraseSome(job)));
    // What was submitted under a test key today is counted today, also when it is gone.
    const counts = job.mode === 'test' && job.total > 0;
    if (!counts || this.clock.now().getTime() - job.createdAt.getTime() >= DAY_MS)
      await this.jobs.remove(list);
  }

  /** Nobody sees the team's jobs any more; the next sweep erases them. */
  async deleteByTeam(teamId: TeamId): Promise<void> {
    for (const list of await this.jobs.listsOf(teamId)) await this.vanish(list, LONG_AGO);
    await this.parts.forgetTeam(teamId);
  }

  /** What was reserved for addresses that will have no result goes back; part of the open unit of work. */
  async returnRest({ charge, addresses, answered }: BulkJob): Promise<void> {
    const units = addresses - answered;
    if (charge !== null && units > 0) await this.usage.release({ ...charge, units });
  }

  /** What fails here is dropped when it is claimed. */
  private async drop(list: string): Promise<void> {
    await this.parts.drop(list);
    await this.rechecks.dropList(list);
  }

  private vanish(list: string, touchedAt: Date): Promise<BulkJob | null> {
    return this.work.run(async () => {
      const job = await this.end(list);
      if (job === null) return null;
      if (job.isEnded && job.state !== 'erasing') await this.record('bulk.erased', job);
      job.markDeleted(touchedAt);
      await this.jobs.save(job);
      return job;
    });
  }

  private async end(list: string): Promise<BulkJob | null> {
    const job = await this.jobs.lockForUpdate(list);
    if (!job?.isOpen) return job;
    await this.events.publish(job.cancel(this.clock.now()));
    await this.returnRest(job);
    await this.jobs.save(job);
    await this.record('bulk.canceled', job);
    return job;
  }

  /** @returns false: nothing was left. */
  private eraseSome({ list, teamId, finishedAt }: BulkJob): Promise<boolean> {
    return this.work.run(async () => {
      const hashes = await this.lists.eraseSome(list);
      if (hashes === null) return false;
      if (hashes.length > 0) await this.facts.forget(teamId, hashes, finishedAt ?? this.clock.now());
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
