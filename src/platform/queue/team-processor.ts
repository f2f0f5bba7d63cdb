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
  /** Units of each team in this process. */
  private readonly held = new Map<TeamId, number>();

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
    const { team, held } = job.data;
    // From now on the team may have another waiting job.
    await job.removeDeduplicationKey();
    // A sweep adds the job again, for another process.
    if (signal.aborted) return;
    // Jobs of teams that hold fewer units come first.
    if (this.heldBy(team) > held) return this.enqueueNext(team);
    const unit = await this.claim(team);
    if (unit === null) return;
    this.held.set(team, this.heldBy(team) + 1);
    await this.enqueueNext(team);
    try {
      await this.work(unit, signal);
    } finally {
      const left = this.heldBy(team) - 1;
      if (left > 0) this.held.set(team, left);
      else this.held.delete(team);
      await this.enqueueNext(team);
    }
  }

  private heldBy(team: TeamId): number {
    return this.held.get(team) ?? 0;
  }

  /** If the queue is unavailable, a sweep adds the job. */
  private async enqueueNext(team: TeamId): Promise<void> {
    await this.jobs.enqueue([team], this.heldBy(team)).catch(() => undefined);
  }
}
