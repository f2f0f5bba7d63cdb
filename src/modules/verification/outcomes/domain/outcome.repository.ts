import type { KnownOutcome, OutcomeKind } from '../../../../kernel/outcomes.js';
import type { Page, PageRequest } from '../../../../kernel/page.js';
import type { TeamId } from '../../../../kernel/principal.js';
import type { Accuracy } from './accuracy.js';
import type { NewOutcome, StoredOutcome } from './outcome.js';

/** Port: the outcomes of the teams, by address. All keys are `EmailAddress.key`. */
export abstract class OutcomeRepository {
  /** @param source null: the team itself. @returns the number that was not stored before. */
  abstract add(team: TeamId, source: string | null, outcomes: readonly NewOutcome[]): Promise<number>;

  /** The kinds of outcomes that sources have sent since a time. */
  abstract listReported(
    team: TeamId,
    sources: readonly string[],
    since: Date,
  ): Promise<readonly { source: string; kind: OutcomeKind }[]>;

  /**
   * The latest of each kind and class. Addresses without outcomes are missing.
   *
   * @param reportedSince a source with a later delivery is complete.
   */
  abstract listLatest(
    team: TeamId,
    keys: readonly string[],
    reportedSince: Date,
  ): Promise<ReadonlyMap<string, readonly StoredOutcome[]>>;

  /** @param complete sources that report deliveries. */
  abstract countAccuracy(team: TeamId, since: Date, complete: readonly string[]): Promise<Accuracy>;

  /** Newest first. */
  abstract list(team: TeamId, key: string, request: PageRequest): Promise<Page<KnownOutcome>>;

  /** Deletes those of one address, of several teams. @returns how many. */
  abstract deleteByAddress(teams: readonly TeamId[], key: string): Promise<number>;
}
