import type { TeamId } from '../../../kernel/principal.js';
import type { Soon } from '../../../kernel/soon.js';
import type { AccountCounts, Counts } from './counts.js';
import type { Mark, QuotaStatus } from './quota.js';

/** A team's day, and how long it lasts. */
export interface Today extends QuotaStatus {
  /** When the next day begins, by the monotonic clock; never later than the database's midnight UTC. */
  endsAtMs: number;
  /** Before the database was asked, by the same clock. */
  askedAtMs: number;
}

export interface Grant extends Today {
  /** false: nothing was taken. */
  granted: boolean;
}

/** Units that are taken from a team's day. */
export interface Order {
  teamId: TeamId;
  used: number;
  reserved: number;
  /** null: always granted. */
  limit: number | null;
  counts: AccountCounts[];
}

/** What came of reserved units. */
export interface Settlement {
  teamId: TeamId;
  day: string;
  /** To be added to "used". */
  used: number;
  /** To be taken off "reserved": what became used, and what was given back. */
  released: number;
  counts: AccountCounts[];
}

export interface DayCounts extends Counts {
  /** `YYYY-MM-DD`. */
  date: string;
}

/** Port: what was charged and counted. The days are the database's. */
export abstract class UsageRepository {
  /** Takes units if they fit under the limit, which none always do; part of the open unit of work. */
  abstract take(order: Order): Promise<Grant>;

  /** What came of units that were reserved; part of the open unit of work. */
  abstract settle(settlement: Settlement): Promise<QuotaStatus>;

  /** @returns whether this call was the first that day to say so; part of the open unit of work. */
  abstract mark(teamId: TeamId, day: string, mark: Mark): Promise<boolean>;

  /** The team's day as this process knows it: at most 4 s old, and not over. */
  abstract known(teamId: TeamId): Soon<Today>;

  /** The same is known from here on; told when it is committed. */
  abstract learn(teamId: TeamId, today: Today): void;

  /** The team's day as it stands, and what was counted. */
  abstract today(teamId: TeamId): Promise<QuotaStatus & { counts: Counts }>;

  /**
   * Newest first, zeroes included.
   *
   * @param account null: of the whole team.
   */
  abstract history(teamId: TeamId, account: string | null, days: number): Promise<DayCounts[]>;

  /** Deletes days that are over for so long, in batches. @returns how many rows. */
  abstract deleteOlderThan(days: number): Promise<number>;

  /** Makes the units of one expired lease used; @returns false when there was none. */
  abstract closeExpiredLease(): Promise<boolean>;
}
