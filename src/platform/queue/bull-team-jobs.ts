import type { Queue } from 'bullmq';
import type { TeamId } from '../../kernel/principal.js';
import { TeamJobs } from '../../kernel/team-jobs.js';
import type { UnitOfWork } from '../../kernel/unit-of-work.js';

/** The data of a job. */
export interface TeamJob {
  team: TeamId;
}

export class BullTeamJobs extends TeamJobs {
  /** @param name of its jobs: what they do. */
  constructor(
    private readonly queue: Queue,
    private readonly name: string,
    private readonly work: UnitOfWork,
  ) {
    super();
  }

  override async enqueue(teams: readonly TeamId[]): Promise<void> {
    const jobs = teams.map((team) => ({
      name: this.name,
      data: { team } satisfies TeamJob,
      // Ignored while the team has a job that no worker has begun.
      opts: { deduplication: { id: team } },
    }));
    if (jobs.length > 0) await this.queue.addBulk(jobs);
  }

  override enqueueAfterCommit(team: TeamId): void {
    this.work.afterCommit(() => void this.enqueue([team]).catch(() => undefined));
  }
}
