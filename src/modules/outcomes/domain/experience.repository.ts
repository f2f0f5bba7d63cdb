import type { TeamId } from '../../../kernel/principal.js';
import type { Experience, SeenVerdict } from './experience.js';
import type { GroupCount, Statistics } from './statistics.js';

/** Port: verdicts of teams that report outcomes, and what the outcomes show. */
export abstract class ExperienceRepository {
  /** Cached for at most 4 s. */
  abstract getCached(team: TeamId): Promise<Experience>;

  /** The last value of `getCached`; null: there was none. */
  abstract findCached(team: TeamId): Experience | null;

  /** The team reports outcomes from now on. */
  abstract addTeam(team: TeamId): Promise<void>;

  /** Stores the verdicts of a team, if it still reports outcomes. */
  abstract addVerdicts(team: TeamId, verdicts: readonly SeenVerdict[]): Promise<void>;

  /** Teams with outcomes that were not learned, and those that were learned before a time. */
  abstract listDue(learnedBefore: Date, limit: number): Promise<readonly TeamId[]>;

  /** Addresses by their latest outcome since a time, in groups; the largest groups first. */
  abstract countGroups(team: TeamId, since: Date, limit: number): Promise<readonly GroupCount[]>;

  /** Operators with enough bounces of addresses that their servers had accepted. */
  abstract listOperators(team: TeamId): Promise<readonly string[]>;

  /** What was learned from the outcomes that were stored at the start. */
  abstract save(
    team: TeamId,
    statistics: Statistics,
    operators: readonly string[],
    startedAt: Date,
  ): Promise<void>;

  abstract deleteByAddress(teams: readonly TeamId[], key: string): Promise<void>;

  /** Deletes all of a team, in batches. @returns how many. */
  abstract deleteByTeam(team: TeamId): Promise<number>;
}
