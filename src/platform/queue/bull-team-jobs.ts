import type { Queue } from 'bullmq';
import type { TeamId } from '../../kernel/principal.js';
import { TeamJobs } from '../../kernel/queue/team-jobs.js';
import type { UnitOfWork } from '../../kernel/unit-of-work.js';

export interface TeamJob {
  team: TeamId;
  /** Units that the team held when the job was added. */
  held: number;
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

  override async enqueue(teams: readonly TeamId[], held = 0): Promise<void> {
    const jobs = teams.map((team) => ({
      name: this.name,
      data: { team, held } satisfies TeamJob,
      // The deduplication ends when a worker begins the job. A lower number is a higher priority.
      opts: { deduplication: { id: `${team} ${held}` }, priority: held + 1 },
    }));
    if (jobs.length > 0) await this.queue.addBulk(jobs);
  }

  override enqueueAfterCommit(team: TeamId): void {
    this.work.afterCommit(() => void this.enqueue([team]).catch(() => undefined));
  }
}
