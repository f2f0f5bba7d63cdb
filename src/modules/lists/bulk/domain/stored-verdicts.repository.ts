import type { ListId } from '../../../../kernel/ids.js';
import type { TeamId } from '../../../../kernel/principal.js';
import type { Verdict } from '../../../../kernel/verdict.js';

export interface LiveList {
  listId: ListId;
  /** Of the job, as the API names it. */
  jobId: string;
}

export interface VerdictPage {
  verdicts: Verdict[];
  /** The address key of the last one; null: no others follow. */
  last: Buffer | null;
}

/** Port: the verdicts of lists, without their rows. */
export abstract class StoredVerdictsRepository {
  /** Live lists of a team whose verification has not ended, or ended since then; the newest first. */
  abstract listSince(team: TeamId, since: Date, limit: number): Promise<LiveList[]>;

  /** One for each address. @param after `last` of the previous page; null: the first page. */
  abstract page(listId: ListId, after: Buffer | null, limit: number): Promise<VerdictPage>;
}
