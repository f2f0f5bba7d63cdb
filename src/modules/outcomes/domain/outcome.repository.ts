import type { KnownOutcome } from '../../../kernel/outcomes.js';
import type { Page, PageRequest } from '../../../kernel/page.js';
import type { TeamId } from '../../../kernel/principal.js';
import type { Accuracy } from './accuracy.js';
import type { NewOutcome, StoredOutcome } from './outcome.js';

/** Port: the outcomes of the teams, by address. All keys are `EmailAddress.key`. */
export abstract class OutcomeRepository {
  /** @returns the number that was not stored before. */
  abstract add(team: TeamId, outcomes: readonly NewOutcome[]): Promise<number>;

  /** The latest of each kind and class. Addresses without outcomes are missing. */
  abstract listLatest(
    team: TeamId,
    keys: readonly string[],
  ): Promise<ReadonlyMap<string, readonly StoredOutcome[]>>;

  abstract countAccuracy(team: TeamId, since: Date): Promise<Accuracy>;

  /** Newest first. */
  abstract list(team: TeamId, key: string, request: PageRequest): Promise<Page<KnownOutcome>>;

  /** Deletes those of one address, of several teams. @returns how many. */
  abstract deleteByAddress(teams: readonly TeamId[], key: string): Promise<number>;
}
