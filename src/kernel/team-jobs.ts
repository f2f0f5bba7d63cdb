import type { TeamId } from './principal.js';

/**
 * Port: the jobs of one queue. A job works for one team: its processor claims the team's next unit of work from
 * the database. A team has one waiting job at most, so first in, first out serves the teams in turn.
 */
export abstract class TeamJobs {
  /** Adds a job for each of these teams that has none waiting. @throws when the queue is not available. */
  abstract enqueue(teams: readonly TeamId[]): Promise<void>;

  /** Adds the job of the team once the open unit of work has committed; when that fails, a sweep adds it. */
  abstract enqueueAfterCommit(team: TeamId): void;
}
