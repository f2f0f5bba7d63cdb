import type { TeamId } from '../../../kernel/principal.js';
import type { Verdict } from '../../../kernel/verdict.js';
import type { ClaimedRecheck, DeferredRow, Recheck } from './recheck.js';

/** A single check that is deferred. */
export type DeferredCheck = Pick<
  Recheck,
  'id' | 'teamId' | 'reason' | 'keyId' | 'userId' | 'firstAskedAt'
> & {
  email: string;
  verdict: Verdict;
};

/** Port: the rechecks. Addresses and verdicts are stored encrypted. */
export abstract class RecheckRepository {
  /**
   * @param addressKey `EmailAddress.key`: a pending recheck of the team and address stays as it is.
   * @returns when that one is due.
   */
  abstract add(check: DeferredCheck, addressKey: string, dueAt: Date): Promise<Date>;

  /** Rows of a list; part of the open unit of work. */
  abstract addRows(
    list: { teamId: TeamId; list: string },
    rows: readonly DeferredRow[],
    firstAskedAt: Date,
    dueAt: Date,
  ): Promise<void>;

  /** Some that are due and not claimed. */
  abstract due(now: Date): Promise<string[]>;

  /**
   * Claims one that is due, for two minutes: of the teams with the fewest claimed, the one served longest
   * ago. A team has a bounded number claimed at a time, over all processes.
   */
  abstract claim(now: Date): Promise<ClaimedRecheck | null>;

  /** @param counts whether it was an attempt; a process that is asked to end has made none. */
  abstract release(claimed: ClaimedRecheck, pauseSeconds: number, counts: boolean): Promise<void>;

  /** Keeps the answer and comes back later; nothing when the lease has passed to somebody else. */
  abstract postpone(claimed: ClaimedRecheck, verdict: Verdict, dueAt: Date): Promise<void>;

  /** Keeps the final verdict of a single check. @returns false when the lease has passed to somebody else. */
  abstract complete(claimed: ClaimedRecheck, verdict: Verdict, eraseAt: Date): Promise<boolean>;

  /** Deletes those whose lease is still ours; part of the open unit of work. @returns their ids. */
  abstract take(claimed: readonly ClaimedRecheck[]): Promise<Set<string>>;

  /** Deletes some of a list, due or not; part of the open unit of work. */
  abstract takeOfList(list: string, limit: number): Promise<Recheck[]>;

  /** Deletes all of a list, in batches. */
  abstract dropList(list: string): Promise<void>;

  /** The verdict of a completed single check; null when it was erased, or is pending. */
  abstract verdict(id: string): Promise<Verdict | null>;

  /** Deletes completed rechecks whose time is over. @returns how many. */
  abstract eraseDue(now: Date): Promise<number>;

  /** Deletes all of a team, in batches. @returns how many. */
  abstract deleteByTeam(teamId: TeamId): Promise<number>;
}
