import type { TeamId } from '../principal.js';

/**
 * Port: the jobs of one queue. A job works for one team: its processor claims the team's next unit of work from
 * the database. The jobs of teams that hold the fewest units are processed first, so that free slots make the
 * shares of teams equal, whatever the duration of their units.
 */
export abstract class TeamJobs {
  /**
   * Adds a job for each of these teams, unless one with the same number of held units waits.
   *
   * @param held units that the teams hold in this process, as far as it knows; the processor corrects the number.
   * @throws when the queue is not available.
   */
  abstract enqueue(teams: readonly TeamId[], held?: number): Promise<void>;

  /** Adds the job of the team once the open unit of work has committed; when that fails, a sweep adds it. */
  abstract enqueueAfterCommit(team: TeamId): void;
}
