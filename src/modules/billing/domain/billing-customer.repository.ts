import type { TeamId } from '../../../kernel/principal.js';
import type { BillingCustomer, SyncedState } from './billing-customer.js';
import type { CustomerId, ProviderEvent } from './payment-provider.js';

/** Port: which team is which customer, what each pays for, and who is to be asked about when. */
export abstract class BillingCustomerRepository {
  abstract ofTeam(team: TeamId): Promise<BillingCustomer | null>;

  /** @returns the team's customer: this one, or one who was there before. */
  abstract add(team: TeamId, customer: CustomerId, dueAt: Date): Promise<CustomerId>;

  /**
   * Remembers the event, and that its customer is to be asked about now. Within a unit of work.
   *
   * @returns false: it is not about one of ours, or was told before.
   */
  abstract receive(event: ProviderEvent, now: Date): Promise<boolean>;

  /** Something has happened to the team: its customer, if it has one, is to be asked about now. */
  abstract requestSync(team: TeamId): Promise<void>;

  /** Takes some that are due and puts each off, so that no other worker takes it too. */
  abstract claimDue(now: Date): Promise<BillingCustomer[]>;

  /**
   * Within a unit of work, held until it ends.
   *
   * @returns null: there is newer news than what this claim has learned.
   */
  abstract lockForUpdate(claimed: BillingCustomer): Promise<BillingCustomer | null>;

  abstract saveState(customer: CustomerId, learned: SyncedState): Promise<void>;

  /** The provider has deleted the customer. */
  abstract forget(customer: CustomerId): Promise<void>;

  /** The provider could not be asked. */
  abstract defer(claimed: BillingCustomer, dueAt: Date): Promise<void>;

  /** @returns how many events. */
  abstract deleteOldEvents(receivedBefore: Date): Promise<number>;
}
