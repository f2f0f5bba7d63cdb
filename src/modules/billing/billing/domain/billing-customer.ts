import type { TeamId } from '../../../../kernel/principal.js';
import type { CustomerId } from './payment-provider.js';
import type { Entitlement } from './entitlement.js';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../../../kernel/durations.js';

/** Subscriptions are synchronized at least this often, in case events are lost. */
const RECONCILE_MS = HOUR_MS;
const MAX_RETRY_DELAY_MS = HOUR_MS;
/**
 * A checkout is valid for a day, and the provider retries events for three: after that nothing can
 * change.
 */
const SYNC_AFTER_DELETION_MS = 4 * DAY_MS;

/** The provider's customer of a team, and the synchronized subscription state. */
export interface BillingCustomer extends Entitlement {
  customerId: CustomerId;
  teamId: TeamId;
  /** When the team was first found deleted. */
  teamGoneAt: Date | null;
  failures: number;
  /** Incremented by claims and events; a result is stored only when it has not changed. */
  version: string;
}

export interface SyncedState extends Entitlement {
  teamGoneAt: Date | null;
  /** When to synchronize again; null: only after an event. */
  dueAt: Date | null;
}

/** @param changesAt when the entitlement changes without an event. */
export function nextSyncAt(now: Date, changesAt: Date | null): Date {
  const regular = now.getTime() + RECONCILE_MS;
  return new Date(Math.min(regular, changesAt?.getTime() ?? regular));
}

/** For a deleted team: as long as a subscription may still appear. */
export function nextSyncAfterDeletion(now: Date, deletedAt: Date): Date | null {
  return now.getTime() - deletedAt.getTime() < SYNC_AFTER_DELETION_MS ? nextSyncAt(now, null) : null;
}

/** @param failures including this one. */
export function nextSyncAfterFailure(now: Date, failures: number): Date {
  return new Date(now.getTime() + Math.min(MAX_RETRY_DELAY_MS, 5 * SECOND_MS * 2 ** (failures - 1)));
}
