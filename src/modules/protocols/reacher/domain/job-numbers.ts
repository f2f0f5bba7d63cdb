import type { TeamId } from '../../../../kernel/principal.js';

/** Port: the numbers by which the clients of Reacher name the lists of a team. */
export abstract class JobNumbers {
  /** Gives a list the next number of its team, within the open unit of work. Numbers begin at 1 and are never given again. */
  abstract add(teamId: TeamId, jobId: string): Promise<number>;

  /** The id of the list; null: the team has none with this number. */
  abstract find(teamId: TeamId, number: number): Promise<string | null>;
}
