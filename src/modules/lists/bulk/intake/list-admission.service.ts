import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../../../kernel/audit-log.js';
import { Clock } from '../../../../kernel/clock.js';
import type { ListId } from '../../../../kernel/ids.js';
import type { ListHeader } from '../../../../kernel/list-files/list-format.js';
import type { Principal } from '../../../../kernel/principal.js';
import { Tracing } from '../../../../kernel/tracing.js';
import { TiersService } from '../../../identity/tiers/tiers.service.js';
import { UsageService } from '../../../identity/usage/usage.service.js';
import { BulkTooLarge } from '../domain/bulk.errors.js';
import type { BulkJob } from '../domain/bulk-job.js';
import { BulkJobRepository } from '../domain/bulk-job.repository.js';
import { BulkQueue } from '../domain/bulk-queue.js';
import { ListMailsService } from '../work/list-mails.service.js';
import { ListRoomService } from './list-room.service.js';

/**
 * A list enters the queue through `admit`, whether it was submitted, held and started, or read by the run of a schedule:
 * what one of these is refused for, the others are too.
 */
@Injectable()
export class ListAdmissionService {
  constructor(
    private readonly jobs: BulkJobRepository,
    private readonly room: ListRoomService,
    private readonly usage: UsageService,
    private readonly tiers: TiersService,
    private readonly mails: ListMailsService,
    private readonly jobQueue: BulkQueue,
    private readonly audit: AuditLog,
    private readonly tracing: Tracing,
    private readonly clock: Clock,
  ) {}

  /**
   * Locks the job of a list for `admit`, until the open unit of work ends. The creation of jobs is locked before it,
   * always in this order. @returns null when there is no such job.
   */
  async lock(caller: Principal, listId: ListId): Promise<BulkJob | null> {
    await this.jobs.lockCreation(caller);
    return this.jobs.findForUpdate(listId);
  }

  /**
   * Reserves the units of a list and queues it, within the open unit of work. Requires `lock`.
   *
   * @throws UpgradeRequired, BulkTooLarge, RateLimited, DailyQuotaExceeded, QueueFull, Paused
   */
  async admit(caller: Principal, job: BulkJob): Promise<void> {
    const { tier, mode } = caller;
    if (mode === 'live') this.tiers.require(tier, 'bulk');
    this.requireAge(caller, job);
    const max = this.tiers.bulkLimit(tier, mode);
    if (job.total > max) throw new BulkTooLarge(max);
    await this.room.requireTestTurn(caller, job);
    await this.room.requireShortQueue(caller);
    const charge = await this.usage.reserve(caller, job.addresses);
    job.traceparent = this.tracing.traceparent();
    job.queue(charge, this.clock.now());
    await this.jobs.save(job);
    await this.audit.record({
      action: 'bulk.submitted',
      teamId: job.teamId,
      target: { type: 'bulk_job', id: job.id },
      details: { total: job.total, addresses: job.addresses },
    });
    this.jobQueue.enqueueAfterCommit(job.teamId);
  }

  /**
   * What a list asks for, before its addresses are counted: also of one that will be held.
   *
   * @throws UpgradeRequired, InvalidRequest, InvalidCredential
   */
  async requireOptions(caller: Principal, header: ListHeader): Promise<void> {
    this.requireAge(caller, header);
    if (header.notify !== null) await this.mails.requireMailable(caller.userId);
  }

  private requireAge(
    { tier, mode }: Principal,
    { refresh, maxAge }: Pick<ListHeader, 'refresh' | 'maxAge'>,
  ): void {
    if (mode === 'live') this.tiers.requireMaxAge(tier, refresh === true ? 0 : maxAge);
  }
}
