import type { TeamId } from '../../../../kernel/principal.js';
import type { StoredStatistics, Learned, SeenVerdict } from './stored-statistics.js';
import type { ReturnedCount } from './returned-mail.js';
import type { GroupCount } from './statistics.js';
import type { CountName, Place } from './units.js';

/** `GroupCount` before its host is known. */
export type PlacedGroup = GroupCount & Place;

/** Accepted addresses of a name. */
export interface CountedName {
  accepted: number;
  /** The first of them was verified then. */
  since: Date;
}

/** What is read of the outcomes of a team. */
export interface OutcomeRange {
  team: TeamId;
  /** Older outcomes and verdicts do not count. */
  since: Date;
  /** Sources that report deliveries. */
  complete: readonly string[];
}

/** Port: verdicts of teams, and what the outcomes show. */
export abstract class TeamStatisticsRepository {
  /** Cached for at most 4 s. */
  abstract getCached(team: TeamId): Promise<StoredStatistics>;

  /** The last value of `getCached`; null: there was none. */
  abstract findCached(team: TeamId): StoredStatistics | null;

  /** The next `getCached` reads again. */
  abstract forgetCached(team: TeamId): void;

  /** The team reports outcomes from now on. */
  abstract addTeam(team: TeamId): Promise<void>;

  /**
   * Counts new verdicts of accepted addresses. Stores the verdicts if the team reports outcomes, also with outcomes
   * that came before them. Not inside a unit of work.
   */
  abstract addVerdicts(team: TeamId, verdicts: readonly SeenVerdict[]): Promise<void>;

  /** Teams with outcomes that were not learned, and those that were learned before a time. */
  abstract listDue(learnedBefore: Date, limit: number): Promise<readonly TeamId[]>;

  /** Sources of which a delivery since a time is stored. */
  abstract listComplete(team: TeamId, since: Date): Promise<readonly string[]>;

  /** Addresses by their latest outcome, in groups; the largest groups first. */
  abstract listGroups(range: OutcomeRange, limit: number): Promise<readonly PlacedGroup[]>;

  /** Addresses that servers had accepted, by what became of mail to them; those with the most bounces first. */
  abstract listReturned(range: OutcomeRange, limit: number): Promise<readonly ReturnedCount[]>;

  /** At most `limit` ids of the domains that were verified at each host. */
  abstract listDomains(
    team: TeamId,
    since: Date,
    hosts: readonly string[],
    limit: number,
  ): Promise<ReadonlyMap<string, readonly string[]>>;

  /** What identifies a domain in `listDomains`. */
  abstract idOf(domain: string): string;

  /** The accepted addresses of each name, or of all domains of the host; null: none was counted. */
  abstract listAccepted(
    team: TeamId,
    since: Date,
    names: readonly (CountName | { host: string; name: null })[],
  ): Promise<readonly (CountedName | null)[]>;

  /** The bounced addresses of `listReturned` that were accepted since the time of their place. */
  abstract countBounced(
    range: OutcomeRange,
    places: readonly (Place & { acceptedSince: Date })[],
  ): Promise<readonly number[]>;

  /** What was learned from the outcomes that were stored at the start. */
  abstract save(team: TeamId, learned: Learned, returning: readonly string[], startedAt: Date): Promise<void>;

  abstract deleteByAddress(teams: readonly TeamId[], key: string): Promise<void>;

  /** Deletes all of a team, in batches. @returns how many. */
  abstract deleteByTeam(team: TeamId): Promise<number>;
}
