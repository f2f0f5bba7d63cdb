import type { TeamId } from '../../../../kernel/principal.js';
import type { AccountCounts, Counts } from './charge.js';
import type { Threshold, QuotaStatus } from './quota.js';

/** A team's quota of the day, and when the day ends. */
export interface Today extends QuotaStatus {
  /** The end of the day on the monotonic clock; never later than the database's midnight UTC. */
  endsAtMs: number;
  /** The time before the query, on the same clock. */
  readAtMs: number;
}

export interface Grant extends Today {
  /** false: no unit was granted. */
  granted: boolean;
}

/** Units to take from a team's day. */
export interface UsageRequest {
  teamId: TeamId;
  used: number;
  reserved: number;
  /** null: always granted. */
  limit: number | null;
  /** Units that all publishable keys may use; null: no limit, or a secret key. */
  share: number | null;
  counts: AccountCounts[];
}

export interface ReservedCharge {
  teamId: TeamId;
  day: string;
  /** Added to "used". */
  used: number;
  /** Subtracted from "reserved": used and released units. */
  released: number;
  /** Subtracted from "publishable": units of a publishable key that were released and not used. */
  returned: number;
  counts: AccountCounts[];
}

export interface DayCounts extends Counts {
  /** `YYYY-MM-DD`. */
  date: string;
}

/** Port: charges and counts. Days are those of the database. */
export abstract class UsageRepository {
  /** Consumes units if they fit under the limit, within the open unit of work, whose commit updates the cache. */
  abstract reserve(request: UsageRequest): Promise<Grant>;

  /** As `reserve`, but committed on its own: one round trip instead of three. */
  abstract charge(request: UsageRequest): Promise<Grant>;

  /** Charges reserved units and releases the rest, within the open unit of work. */
  abstract chargeReserved(charge: ReservedCharge): Promise<QuotaStatus>;

  /** @returns whether this call was the first of the day, within the open unit of work. */
  abstract markReported(teamId: TeamId, day: string, threshold: Threshold): Promise<boolean>;

  /** The cached quota of the team's day: at most 4 s old, and of the current day. */
  abstract getCached(teamId: TeamId): Promise<Today>;

  /** The last value of `getCached`, `reserve` or `charge`; null: the last query failed, or there was none. */
  abstract findCached(teamId: TeamId): Today | null;

  /** The stored quota of the team's day, with its counts. */
  abstract getToday(teamId: TeamId): Promise<QuotaStatus & { counts: Counts }>;

  /** The keys that have used anything on the day on their own account, at most 100, the most used first. */
  abstract listKeysOfDay(teamId: TeamId, day: string): Promise<AccountCounts[]>;

  /**
   * Newest first, days without usage included.
   *
   * @param account null: of the whole team.
   */
  abstract listHistory(teamId: TeamId, account: string | null, days: number): Promise<DayCounts[]>;
}
