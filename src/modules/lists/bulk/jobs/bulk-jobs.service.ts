import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../../../kernel/audit-log.js';
import { Clock } from '../../../../kernel/clock.js';
import { NotFound } from '../../../../kernel/errors.js';
import type { ListId } from '../../../../kernel/ids.js';
import type { Language } from '../../../../kernel/mail.js';
import type { Page, PageRequest } from '../../../../kernel/page.js';
import type { Principal, TeamId } from '../../../../kernel/principal.js';
import { UnitOfWork } from '../../../../kernel/unit-of-work.js';
import { Config } from '../../../../platform/config/config.js';
import { UsersService, type User } from '../../../identity/teams/users/users.service.js';
import { RechecksService } from '../../../verification/verification/rechecks/rechecks.service.js';
import type { BulkJob } from '../domain/bulk-job.js';
import { BulkJobRepository, type JobFilter } from '../domain/bulk-job.repository.js';
import { PreviewRepository } from '../domain/preview.repository.js';
import { BulkRecordingService } from '../work/bulk-recording.service.js';
import { ListMailsService } from '../work/list-mails.service.js';

/** A job as its response shows it. */
export interface JobDetails {
  job: BulkJob;
  /** null: no row is deferred. */
  deferred: DeferredRows | null;
  /** null: a service key, or the user was deleted. */
  creator: User | null;
}

/** What can be changed of a job. */
export interface JobChange {
  name?: string | null | undefined;
  notify?: Language | null | undefined;
}

/** The deferred rows of a job. */
interface DeferredRows {
  rows: number;
  /** null: those that are left are being rechecked. */
  nextAttemptAt: Date | null;
  /** When they are completed at the latest; null: other rows are not done yet. */
  until: Date | null;
}

const NO_JOB = 'There is no such bulk job.';
/** So long ago that the next sweep deletes the rows. */
export const AT_ONCE = new Date(0);

/** The jobs of a team. */
@Injectable()
export class BulkJobsService {
  constructor(
    private readonly jobs: BulkJobRepository,
    private readonly previews: PreviewRepository,
    private readonly rechecks: RechecksService,
    private readonly recording: BulkRecordingService,
    private readonly mails: ListMailsService,
    private readonly users: UsersService,
    private readonly audit: AuditLog,
    private readonly config: Config,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Newest first. */
  async list(
    caller: Principal,
    filter: Pick<JobFilter, 'status' | 'name'>,
    request: PageRequest,
  ): Promise<Page<JobDetails>> {
    const { retentionDays } = caller.rules;
    const page = await this.jobs.list(caller, { ...filter, retentionDays, now: this.clock.now() }, request);
    return { ...page, items: await this.withDetails(page.items) };
  }

  /** @throws NotFound when there is none, or it has expired. */
  async get(caller: Principal, id: string): Promise<BulkJob> {
    const job = await this.jobs.find(caller, id);
    if (job === null || job.hasExpired(caller.rules.retentionDays, this.clock.now()))
      throw new NotFound(NO_JOB);
    return job;
  }

  /** @throws NotFound */
  async getDetails(caller: Principal, id: string): Promise<JobDetails> {
    return this.detailsOf(await this.get(caller, id));
  }

  async detailsOf(job: BulkJob): Promise<JobDetails> {
    const [details = { job, deferred: null, creator: null }] = await this.withDetails([job]);
    return details;
  }

  /**
   * Ends it with its results so far; a held list, which has none, is deleted. A job that has ended is not changed.
   *
   * @throws NotFound
   */
  async cancel(caller: Principal, id: string): Promise<JobDetails> {
    const { listId } = await this.get(caller, id);
    const job = await this.work.run(async () => {
      const found = await this.jobs.findForUpdate(listId);
      if (found === null || found.state === 'erasing') throw new NotFound(NO_JOB);
      if (found.isHeld) {
        await this.hide(listId, AT_ONCE);
        found.cancelHeld(this.clock.now());
      } else if (found.isOpen) await this.cancelOpen(found);
      return found;
    });
    this.work.afterCommit(() => void this.recording.deleteWork(listId).catch(() => undefined));
    return this.detailsOf(job);
  }

  /**
   * Only its creator, to whom the mail goes, can ask for one or not.
   *
   * @throws NotFound; InvalidRequest when no mail can be sent.
   */
  async update(caller: Principal, id: string, { name, notify }: JobChange): Promise<JobDetails> {
    const { listId } = await this.get(caller, id);
    const job = await this.work.run(async () => {
      const found = await this.jobs.findForUpdate(listId);
      if (found === null || found.state === 'erasing') throw new NotFound(NO_JOB);
      if (notify !== undefined) {
        await this.mails.requireChange(caller, found, notify);
        found.notify = notify;
      }
      const isRenamed = name !== undefined && name !== found.name;
      if (isRenamed) found.name = name;
      await this.jobs.save(found);
      if (isRenamed) await this.recordInAudit('bulk.renamed', found);
      return found;
    });
    return this.detailsOf(job);
  }

  /** Completes its deferred rows with what is known. A job that has ended is not changed. @throws NotFound */
  async finish(caller: Principal, id: string): Promise<JobDetails> {
    const { listId } = await this.get(caller, id);
    await this.recording.closeDeferred(listId);
    return this.getDetails(caller, id);
  }

  /** It is hidden at once; a sweep deletes its addresses, results and facts. Cancels it first. @throws NotFound */
  async delete(caller: Principal, id: string): Promise<void> {
    const { listId } = await this.get(caller, id);
    await this.hide(listId, AT_ONCE);
  }

  /** Cancels and hides all jobs of the team, so that they cost nothing more. */
  async deleteByTeam(teamId: TeamId): Promise<void> {
    for (const listId of await this.jobs.listByTeam(teamId))
      await this.hide(listId, AT_ONCE, { isTeamDeleted: true });
  }

  /**
   * Hides a job whose rows are deleted after that; cancels it first when it is open.
   *
   * @param touchedAt when a process began to delete the rows.
   * @param ifHeld does nothing when the list was started, perhaps a moment ago.
   * @param isTeamDeleted it counts for no limit any more.
   * @param storedRows of an upload that was not accepted.
   * @returns null when there is no such job.
   */
  hide(
    listId: ListId,
    touchedAt: Date,
    { ifHeld = false, isTeamDeleted = false, storedRows = 0 } = {},
  ): Promise<BulkJob | null> {
    return this.work.run(async () => {
      const job = await this.jobs.findForUpdate(listId);
      if (job === null || (ifHeld && !job.isHeld)) return null;
      if (job.state === 'receiving') job.total = storedRows;
      // A worker that makes its preview stops.
      if (job.isHeld) await this.previews.delete(listId);
      if (job.isOpen) await this.cancelOpen(job);
      if (job.isHeld || (job.isEnded && job.state !== 'erasing'))
        await this.recordInAudit('bulk.erased', job);
      if (isTeamDeleted) job.total = job.processed;
      job.startErasure(touchedAt);
      await this.jobs.save(job);
      await this.mails.cancel(job);
      return job;
    });
  }

  private async cancelOpen(job: BulkJob): Promise<void> {
    await this.recording.cancel(job);
    await this.recordInAudit('bulk.canceled', job);
  }

  private async withDetails(jobs: readonly BulkJob[]): Promise<JobDetails[]> {
    const waiting = jobs.filter(({ isOpen, deferredLeft }) => isOpen && deferredLeft > 0);
    const found = await this.rechecks.countDeferred(waiting.map(({ listId }) => listId));
    const creators = await this.users.byIds(jobs.flatMap(({ createdBy }) => createdBy ?? []));
    return jobs.map((job) => {
      const creator = creators.get(job.createdBy ?? '') ?? null;
      const rows = found.get(job.listId);
      if (rows === undefined) return { job, deferred: null, creator };
      const closesAt = new Date(job.touchedAt.getTime() + this.config.bulkDeadlineMs);
      return { job, deferred: { ...rows, until: job.chunksLeft === 0 ? closesAt : null }, creator };
    });
  }

  private recordInAudit(action: string, { id, teamId, total, processed }: BulkJob): Promise<void> {
    return this.audit.record({
      action,
      teamId,
      target: { type: 'bulk_job', id },
      details: { total, processed },
    });
  }
}
