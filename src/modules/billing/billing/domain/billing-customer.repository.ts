import type { TeamId } from '../../../../kernel/principal.js';
import type { BillingCustomer, SyncedState } from './billing-customer.js';
import type { CheckoutId, CustomerId, ProviderEvent } from './payment-provider.js';

/** Port: the provider's customers of teams, their subscriptions, and when to synchronize next. */
export abstract class BillingCustomerRepository {
  abstract findByTeam(team: TeamId): Promise<BillingCustomer | null>;

  /** @returns the team's customer: this one, or an existing one. */
  abstract add(team: TeamId, customer: CustomerId, dueAt: Date): Promise<CustomerId>;

  /**
   * Remembers an open checkout of the customer.
   *
   * @returns the others that were opened before and not ended. Of concurrent callers, one gets none.
   */
  abstract addCheckout(customer: CustomerId, checkout: CheckoutId): Promise<CheckoutId[]>;

  abstract deleteCheckout(customer: CustomerId, checkout: CheckoutId): Promise<void>;

  /**
   * Stores the event and makes its customer due. Within a unit of work.
   *
   * @returns false for an unknown customer or a duplicate event.
   */
  abstract addEvent(event: ProviderEvent, now: Date): Promise<boolean>;

  abstract requestSync(team: TeamId): Promise<void>;

  /** Claims some that are due and moves their due time, so that no other worker claims them. */
  abstract claimDue(now: Date): Promise<BillingCustomer[]>;

  /**
   * Locks the customer until the unit of work ends.
   *
   * @returns null when a newer event has arrived since the claim.
   */
  abstract findForUpdate(claimed: BillingCustomer): Promise<BillingCustomer | null>;

  abstract saveState(customer: CustomerId, synced: SyncedState): Promise<void>;

  abstract delete(customer: CustomerId): Promise<void>;

  abstract defer(claimed: BillingCustomer, dueAt: Date): Promise<void>;
}
