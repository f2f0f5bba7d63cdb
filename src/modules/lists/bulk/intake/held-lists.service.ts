import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../../../kernel/audit-log.js';
import { Clock } from '../../../../kernel/clock.js';
import { NotFound } from '../../../../kernel/errors.js';
import type { ListWarning } from '../../../../kernel/list-files/list-warnings.js';
import type { Principal } from '../../../../kernel/principal.js';
import { UnitOfWork } from '../../../../kernel/unit-of-work.js';
import { PreviewCounts } from '../../../../engine/list-preview.js';
import type { BulkJob } from '../domain/bulk-job.js';
import { BulkJobRepository } from '../domain/bulk-job.repository.js';
import { BulkQueue } from '../domain/bulk-queue.js';
import { PreviewRepository } from '../domain/preview.repository.js';
import { BulkJobsService, type JobDetails } from '../jobs/bulk-jobs.service.js';
import { ListAdmissionService } from './list-admission.service.js';
import { ListRoomService } from './list-room.service.js';

/** Lists that wait for their start. */
@Injectable()
export class HeldListsService {
  constructor(
    private readonly bulkJobs: BulkJobsService,
    private readonly admission: ListAdmissionService,
    private readonly jobs: BulkJobRepository,
    private readonly previews: PreviewRepository,
    private readonly room: ListRoomService,
    private readonly jobQueue: BulkQueue,
    private readonly audit: AuditLog,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Holds a list, within the open unit of work. Requires `ListAdmissionService.lock`. @throws TooManyHeldLists */
  async hold(caller: Principal, job: BulkJob, warnings: ListWarning[]): Promise<void> {
    await this.room.requireHold(caller);
    const now = this.clock.now();
    job.hold(now);
    await this.jobs.save(job);
    await this.previews.add(job.listId, job.teamId, now, PreviewCounts.of(warnings));
    await this.audit.record({
      action: 'bulk.held',
      teamId: job.teamId,
      target: { type: 'bulk_job', id: job.id },
      details: { total: job.total, addresses: job.addresses },
    });
    this.jobQueue.enqueueAfterCommit(job.teamId);
  }

  /**
   * Admits a held list, as if it was submitted now. A list that was started before is not changed.
   *
   * @throws NotFound, and what `ListAdmissionService.admit` throws
   */
  async start(caller: Principal, id: string): Promise<JobDetails> {
    const { listId } = await this.bulkJobs.get(caller, id);
    const job = await this.work.run(async () => {
      const found = await this.admission.lock(caller, listId);
      // The call may have waited until the list expired.
      const isGone =
        found?.state === 'erasing' || found?.hasExpired(caller.rules.retentionDays, this.clock.now());
      if (found === null || isGone === true) throw new NotFound('There is no such bulk job.');
      if (found.isHeld) {
        await this.admission.admit(caller, found);
        await this.previews.delete(listId);
      }
      return found;
    });
    return this.bulkJobs.detailsOf(job);
  }
}
