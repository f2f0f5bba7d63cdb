import type { TeamId, TierName } from '../../../kernel/principal.js';
import type { Page, PageRequest } from '../../../kernel/page.js';
import type { Subscription, SubscriptionId } from './subscription.js';

/** The provider's name of a team. */
export type CustomerId = string;

export interface Purchase {
  teamId: TeamId;
  customerId: CustomerId;
  tier: TierName;
  successUrl: string;
  cancelUrl: string;
}

/** Amounts in the smallest unit of the currency. */
export interface Invoice {
  id: string;
  number: string | null;
  status: string | null;
  amountDue: number;
  amountPaid: number;
  /** ISO 4217, lower case. */
  currency: string;
  createdAt: Date;
  periodStart: Date;
  periodEnd: Date;
  hostedUrl: string | null;
  pdfUrl: string | null;
}

/** News from the provider: only of whom; what is true now, it is asked. */
export interface ProviderEvent {
  id: string;
  /** null: nothing that could change a subscription. */
  customerId: CustomerId | null;
}

/**
 * Port: whoever takes the money. A call may take some 20 seconds, so none is made inside a unit of work.
 * `once` names one act: however often it is asked for, it is done once.
 *
 * @throws PaymentProviderUnavailable, PaymentProviderRefused; BillingUnconfigured when there is none.
 */
export abstract class PaymentProvider {
  abstract readonly isConfigured: boolean;

  /** Tiers with a price, in the operator's order. */
  abstract readonly tiersOnSale: readonly TierName[];

  abstract createCustomer(teamId: TeamId, once: string): Promise<CustomerId>;

  /** @returns where the purchase is made; good for a day. */
  abstract openCheckout(purchase: Purchase, once: string | null): Promise<string>;

  /** @returns where a customer changes or cancels what they have; good for some minutes. */
  abstract openPortal(customer: CustomerId, returnUrl: string, once: string | null): Promise<string>;

  /** Newest first. */
  abstract invoices(customer: CustomerId, page: PageRequest): Promise<Page<Invoice>>;

  /** Every subscription the customer has had, as it stands now; null: the customer was deleted there. */
  abstract subscriptions(customer: CustomerId): Promise<Subscription[] | null>;

  /** At once, without a last invoice. */
  abstract cancel(subscription: SubscriptionId): Promise<void>;

  /** Whether it may be good, told before the body is read. @throws InvalidSignature when it is none, or too old. */
  abstract checkSignature(signature: string, now: Date): void;

  /** @throws InvalidSignature, InvalidEvent */
  abstract readEvent(body: Uint8Array, signature: string, now: Date): ProviderEvent;
}
