import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { ListId } from '../../../kernel/ids.js';
import type { TeamId } from '../../../kernel/principal.js';
import { Config } from '../../../platform/config/config.js';
import { Outbox } from '../../../platform/database/outbox/outbox.js';
import { ScheduledTasks } from '../../../platform/time/scheduled-tasks.js';
import { TeamsService } from '../../identity/teams/team/teams.service.js';
import { BulkJobRepository } from './domain/bulk-job.repository.js';
import { MAX_HOLD_MS } from './domain/bulk-job.js';
import { PreviewRepository } from './domain/preview.repository.js';
import { BulkJobsService } from './jobs/bulk-jobs.service.js';
import { ListErasureService } from './jobs/list-erasure.service.js';
import { BulkProcessor } from './work/bulk.processor.js';
import { BulkRecordingService } from './work/bulk-recording.service.js';
import { append } from '../../../kernel/long-lists.js';
import { SECOND_MS } from '../../../kernel/durations.js';

/** Longer than a request may last, so the upload was interrupted. */
const MAX_UPLOAD_MS = 15 * 60_000;
/** The process that deleted it has died. */
const MAX_ERASURE_MS = 5 * 60_000;
const TEAM_BATCH_SIZE = 1_000;

/** Keeps jobs moving, and deletes those that have expired, were held for a day or were hidden. */
@Injectable()
export class BulkTasks {
  constructor(
    tasks: ScheduledTasks,
    outbox: Outbox,
    private readonly jobs: BulkJobRepository,
    private readonly previews: PreviewRepository,
    private readonly recording: BulkRecordingService,
    private readonly erasure: ListErasureService,
    private readonly teams: TeamsService,
    private readonly config: Config,
    private readonly clock: Clock,
    bulkJobs: BulkJobsService,
    processor: BulkProcessor,
  ) {
    tasks.add(
      { name: 'enqueue bulk chunks', everyMs: 5 * SECOND_MS, run: () => processor.enqueueWaiting() },
      { name: 'close overdue bulk jobs', everyMs: 30 * SECOND_MS, run: () => this.closeOverdue() },
      { name: 'delete bulk jobs', everyMs: 60 * SECOND_MS, run: () => this.deleteDue() },
    );
    outbox.subscribe('team.deleted', ({ teamId }) => bulkJobs.deleteByTeam(teamId));
  }

  /**
   * Completes deferred rows of jobs that have waited long enough.
   *
   * @returns the number of jobs. @throws the first failure, after all others were completed.
   */
  async closeOverdue(): Promise<number> {
    const overdue = await this.jobs.listOnlyDeferredSince(this.ago(this.config.bulkDeadlineMs));
    return forEveryList(overdue, (listId) => this.recording.closeDeferred(listId));
  }

  /**
   * Deletes expired and hidden jobs, interrupted uploads, and jobs whose deletion was interrupted.
   *
   * @returns the number of jobs. @throws the first failure, after all others were deleted.
   */
  async deleteDue(): Promise<number> {
    const due = [
      ...(await this.expiredOrOfDeletedTeams()),
      ...(await this.jobs.listUntouchedSince('receiving', this.ago(MAX_UPLOAD_MS))),
      ...(await this.jobs.listUntouchedSince('erasing', this.ago(MAX_ERASURE_MS))),
    ];
    const held = await this.previews.listHeldBefore(this.ago(MAX_HOLD_MS));
    const erased = await forEveryList(due, (listId) => this.erasure.erase(listId));
    return erased + (await forEveryList(held, (listId) => this.erasure.eraseHeld(listId)));
  }

  private async expiredOrOfDeletedTeams(): Promise<ListId[]> {
    const now = this.clock.now();
    const due: ListId[] = [];
    for (let after: TeamId | null = null, full = true; full;) {
      const teams: TeamId[] = await this.jobs.listTeams(after, TEAM_BATCH_SIZE);
      const retentionDays = await this.teams.retentionDays(teams);
      append(due, await this.jobs.listExpired(now, retentionDays));
      for (const team of teams) if (!retentionDays.has(team)) append(due, await this.jobs.listByTeam(team));
      full = teams.length === TEAM_BATCH_SIZE;
      after = teams.at(-1) ?? null;
    }
    return due;
  }

  private ago(ms: number): Date {
    return new Date(this.clock.now().getTime() - ms);
  }
}

/** A list that fails does not keep the others waiting. @returns their number. @throws the first failure, at the end. */
async function forEveryList(
  lists: readonly ListId[],
  work: (listId: ListId) => Promise<void>,
): Promise<number> {
  const failures: unknown[] = [];
  for (const listId of lists) await work(listId).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
  return lists.length;
}
