import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../../kernel/audit-log.js';
import { Clock } from '../../../kernel/clock.js';
import { NotFound } from '../../../kernel/errors.js';
import type { Principal } from '../../../kernel/principal.js';
import { Tracing } from '../../../kernel/tracing.js';
import { UnitOfWork } from '../../../kernel/unit-of-work.js';
import { TiersService } from '../../tiers/tiers.service.js';
import { UsageService } from '../../usage/usage.service.js';
import { BulkTooLarge, ListCanceled } from '../domain/bulk.errors.js';
import type { BulkJob } from '../domain/bulk-job.js';
import { BulkJobRepository } from '../domain/bulk-job.repository.js';
import { BulkQueue } from '../domain/bulk-queue.js';
import { PreviewRepository } from '../domain/preview.repository.js';
import { BulkJobsService, type JobDetails } from '../jobs/bulk-jobs.service.js';
import { ListRoomService } from './list-room.service.js';

/** Starts held lists. */
@Injectable()
export class HeldListsService {
  constructor(
    private readonly bulkJobs: BulkJobsService,
    private readonly jobs: BulkJobRepository,
    private readonly previews: PreviewRepository,
    private readonly room: ListRoomService,
    private readonly usage: UsageService,
    private readonly tiers: TiersService,
    private readonly jobQueue: BulkQueue,
    private readonly audit: AuditLog,
    private readonly tracing: Tracing,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Reserves the units of a held list and queues it, as if it was submitted now. A list that was started before is
   * not changed.
   *
   * @throws NotFound, ListCanceled, UpgradeRequired, BulkTooLarge, RateLimited, DailyQuotaExceeded, QueueFull
   */
  async start(caller: Principal, id: string): Promise<JobDetails> {
    const { listId } = await this.bulkJobs.get(caller, id);
    const job = await this.work.run(async () => {
      await this.jobs.lockCreation(caller);
      const found = await this.jobs.findForUpdate(listId);
      // The call may have waited until the list expired.
      const isGone =
        found?.state === 'erasing' || found?.hasExpired(caller.rules.retentionDays, this.clock.now());
      if (found === null || isGone === true) throw new NotFound('There is no such bulk job.');
      if (found.isHeld) await this.queue(caller, found);
      else if (!found.wasStarted) throw new ListCanceled();
      return found;
    });
    return this.bulkJobs.detailsOf(job);
  }

  private async queue(caller: Principal, job: BulkJob): Promise<void> {
    const { tier, mode } = caller;
    if (mode === 'live') this.tiers.require(tier, 'bulk');
    if (mode === 'live') this.tiers.requireMaxAge(tier, job.refresh ? 0 : job.maxAge);
    const max = this.tiers.bulkLimit(tier, mode);
    if (job.total > max) throw new BulkTooLarge(max);
    await this.room.requireTestTurn(caller);
    await this.room.requireShortQueue(caller);
    const charge = await this.usage.reserve(caller, job.addresses);
    job.traceparent = this.tracing.traceparent();
    job.start(charge, this.clock.now());
    await this.jobs.save(job);
    await this.previews.delete(job.listId);
    await this.audit.record({
      action: 'bulk.submitted',
      teamId: job.teamId,
      target: { type: 'bulk_job', id: job.id },
      details: { total: job.total, addresses: job.addresses },
    });
    this.jobQueue.enqueueAfterCommit(job.teamId);
  }
}
