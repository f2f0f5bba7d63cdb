import type { ListId } from '../../../../kernel/ids.js';
import type { TeamId } from '../../../../kernel/principal.js';
import { TeamWork } from '../../../../kernel/queue/team-work.js';
import type { Verdict } from '../../../../kernel/verdict.js';
import type { ClaimedRecheck, DeferredRow, Recheck } from './recheck.js';

/** A single check whose final verdict is deferred. */
export interface DeferredCheck extends Pick<
  Recheck,
  'teamId' | 'keyId' | 'userId' | 'publishable' | 'firstRequestedAt'
> {
  /** `EmailAddress.key`. */
  key: string;
  verdict: Verdict;
  dueAt: Date;
}

/**
 * Port: the rechecks. Addresses and verdicts are stored encrypted. Those that are due are claimed; the claims of a team
 * are limited.
 */
export abstract class RecheckRepository extends TeamWork<ClaimedRecheck> {
  /** A pending recheck of the team and address is not changed. @returns when it is due. */
  abstract add(check: DeferredCheck): Promise<Date>;

  /** Adds rows of a list, within the open unit of work. */
  abstract addRows(
    list: { teamId: TeamId; listId: ListId },
    rows: readonly DeferredRow[],
    firstRequestedAt: Date,
    dueAt: Date,
  ): Promise<void>;

  /** Stores the verdict and a new due time; does nothing when the lease was lost. */
  abstract postpone(claimed: ClaimedRecheck, verdict: Verdict, dueAt: Date): Promise<void>;

  /** Stores the final verdict of a single check. @returns false when the lease was lost. */
  abstract complete(claimed: ClaimedRecheck, verdict: Verdict, eraseAt: Date): Promise<boolean>;

  /** Deletes those whose lease is still held, within the open unit of work. @returns their ids. */
  abstract deleteClaimed(claimed: readonly ClaimedRecheck[]): Promise<Set<string>>;

  /** Those of these keys, in hexadecimal, that are deferred rows of the list. */
  abstract listDeferredKeys(listId: ListId, addressKeys: readonly Buffer[]): Promise<ReadonlySet<string>>;

  /** Rows of these lists, and the earliest time at which one is due that is not being rechecked. */
  abstract countDeferred(
    listIds: readonly ListId[],
  ): Promise<ReadonlyMap<string, { rows: number; nextAttemptAt: Date | null }>>;

  /** Deletes some of a list, due or not, within the open unit of work. */
  abstract deleteSome(listId: ListId, limit: number): Promise<Recheck[]>;

  /** Deletes single checks of an address, of all teams, with their verdicts. @returns how many. */
  abstract deleteByAddress(addressHash: Buffer): Promise<number>;

  /** Deletes all of a list, in batches. */
  abstract deleteByList(listId: ListId): Promise<void>;

  /** The verdicts of the latest completed single checks of a team that are stored and can be decrypted. */
  abstract listVerdicts(team: TeamId, limit: number): Promise<Verdict[]>;

  /** The verdict of a completed single check; null when it was erased, or is pending. */
  abstract findVerdict(id: string): Promise<{ teamId: TeamId; verdict: Verdict } | null>;
}
