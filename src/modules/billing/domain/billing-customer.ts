import type { TeamId, TierName } from '../../../kernel/principal.js';
import type { CustomerId } from './payment-provider.js';
import type { SubscriptionState } from './subscription.js';

const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The truth is asked at least this often, whatever news comes or is lost. */
const RECONCILE_MS = HOUR_MS;
const LONGEST_PAUSE_MS = HOUR_MS;
/** A checkout is good for a day, and the provider tells its news for three: then nothing can begin any more. */
const WATCHED_WHEN_GONE_MS = 4 * DAY_MS;

/** A team as the provider knows it, and what was last learned of what it pays for. */
export interface BillingCustomer {
  customerId: CustomerId;
  teamId: TeamId;
  tier: TierName | null;
  state: SubscriptionState | null;
  endsAt: Date | null;
  /** When it was first seen that the team is gone. */
  teamGoneAt: Date | null;
  /** How often in a row the provider could not be asked. */
  failures: number;
  /** Counts the claims and the news: whoever asked before the latest has learned nothing. */
  version: string;
}

/** What asking has brought. */
export interface SyncedState {
  tier: TierName | null;
  state: SubscriptionState | null;
  endsAt: Date | null;
  teamGoneAt: Date | null;
  /** When to ask again; null: never by ourselves. */
  dueAt: Date | null;
}

/** @param changesAt when it will be otherwise with nobody telling. */
export function askedNext(now: Date, changesAt: Date | null): Date {
  const regular = now.getTime() + RECONCILE_MS;
  return new Date(Math.min(regular, changesAt?.getTime() ?? regular));
}

/** Of a team that is gone: for as long as a subscription may still appear. */
export function askedNextWhenGone(now: Date, goneAt: Date): Date | null {
  return now.getTime() - goneAt.getTime() < WATCHED_WHEN_GONE_MS ? askedNext(now, null) : null;
}

/** @param failures this one included. */
export function askedAfterFailure(now: Date, failures: number): Date {
  return new Date(now.getTime() + Math.min(LONGEST_PAUSE_MS, 5 * SECOND_MS * 2 ** (failures - 1)));
}
