import type { Page, PageRequest } from '../../../../../kernel/page.js';
import type { TeamId } from '../../../../../kernel/principal.js';
import type { OutcomeSource } from './source.js';

/** Port: the sources of the teams, and what may be used once. */
export abstract class SourceRepository {
  abstract add(source: OutcomeSource): Promise<void>;

  abstract count(team: TeamId): Promise<number>;

  /** Newest first. */
  abstract list(team: TeamId, request: PageRequest): Promise<Page<OutcomeSource>>;

  /** @returns false: the team has no such source. */
  abstract delete(team: TeamId, id: string): Promise<boolean>;

  abstract findByDigest(digest: Buffer): Promise<OutcomeSource | null>;

  /** The source tells from now on that mails arrive. */
  abstract saveTellsArrivals(source: OutcomeSource): Promise<void>;

  /** @returns false: the text was used before. */
  abstract addUsedToken(source: OutcomeSource, digest: Buffer, now: Date): Promise<boolean>;
}
