import type { TeamId } from '../../../kernel/language.js';
import type { Counts } from './counts.js';
import type { Batch, Lease } from './lease.js';
import type { Mark, Standing } from './quota.js';

/** A team's day, and how long it lasts. */
export interface Today extends Standing {
  /** Seconds until the database's next midnight UTC. */
  secondsLeft: number;
}

export interface Grant extends Today {
  /** false: nothing was reserved. */
  granted: boolean;
}

/** Units that are asked for. */
export interface Wanted {
  teamId: TeamId;
  units: number;
  /** Granted only when so many remain. */
  remaining: number;
  /** null: always granted. */
  limit: number | null;
}

export interface DayCounts extends Counts {
  /** `YYYY-MM-DD`. */
  date: string;
}

/** Port: what was charged and counted. The days are the database's. */
export abstract class UsageRepository {
  /** Reserves units for the lease with this id; never part of an open unit of work. */
  abstract lease(id: string, wanted: Wanted): Promise<Grant>;

  /**
   * Takes the lease's batch in, once, however often it is told. Never part of an open unit of work.
   *
   * @returns the lease's day; null when there is no such lease any more: it expired, and its units are used.
   */
  abstract settleLease(lease: Lease, batch: Batch): Promise<Standing | null>;

  /** Makes the units of one lease that has expired used; @returns false when there was none. */
  abstract closeExpiredLease(): Promise<boolean>;

  /** Reserves units without a lease; part of the open unit of work. */
  abstract reserve(wanted: Wanted): Promise<Grant>;

  /** What came of units without a lease; part of the open unit of work. */
  abstract settle(teamId: TeamId, day: string, batch: Batch): Promise<Standing>;

  /** @returns whether this call was the first that day to say so; part of the open unit of work. */
  abstract mark(teamId: TeamId, day: string, mark: Mark): Promise<boolean>;

  /** The team's day as it stands. */
  abstract today(teamId: TeamId): Promise<Today>;

  /**
   * Newest first, zeroes included.
   *
   * @param account null: of the whole team.
   */
  abstract history(teamId: TeamId, account: string | null, days: number): Promise<DayCounts[]>;

  /** Deletes days that are over for so long, in batches. @returns how many rows. */
  abstract deleteOlderThan(days: number): Promise<number>;
}
