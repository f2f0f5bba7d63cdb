import { WorkerHost } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import type { TeamId } from '../../kernel/principal.js';
import type { TeamJobs } from '../../kernel/team-jobs.js';
import type { TeamJob } from './bull-team-jobs.js';

/**
 * Processes the jobs of teams. A job that has claimed a unit of work adds the team's next job before it works,
 * and again when it ends: the team may have been at its limit in between. A job that claims nothing ends.
 */
export abstract class TeamProcessor<Unit> extends WorkerHost {
  constructor(private readonly jobs: TeamJobs) {
    super();
  }

  /** The team's next unit of work; null: none waits, or the team has as many as it may have at a time. */
  abstract claim(team: TeamId): Promise<Unit | null>;

  /** @param signal aborts when the process shuts down. */
  abstract work(unit: Unit, signal: AbortSignal): Promise<void>;

  override async process(
    job: Job<TeamJob>,
    _token?: string,
    signal = new AbortController().signal,
  ): Promise<void> {
    const { team } = job.data;
    // From now on the team may have another waiting job.
    await job.removeDeduplicationKey();
    // A sweep adds the job again, for another process.
    if (signal.aborted) return;
    const unit = await this.claim(team);
    if (unit === null) return;
    await this.enqueueNext(team);
    try {
      await this.work(unit, signal);
    } finally {
      await this.enqueueNext(team);
    }
  }

  /** If the queue is unavailable, a sweep adds the job. */
  private async enqueueNext(team: TeamId): Promise<void> {
    await this.jobs.enqueue([team]).catch(() => undefined);
  }
}
