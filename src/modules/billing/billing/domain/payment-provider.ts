import type { TeamId, TierName } from '../../../../kernel/principal.js';
import type { Page, PageRequest } from '../../../../kernel/page.js';
import type { Subscription, SubscriptionId } from './subscription.js';

export type CustomerId = string;

export interface Purchase {
  teamId: TeamId;
  customerId: CustomerId;
  tier: TierName;
  successUrl: string;
  cancelUrl: string;
}

export type CheckoutId = string;

export interface Checkout {
  id: CheckoutId;
  url: string;
}

/** Whom the provider writes to and names on invoices. */
export interface BillingContact {
  name: string;
  /** null: nobody has confirmed an address. */
  email: string | null;
}

/** The price of a tier. Amounts in the smallest unit of the currency. */
export interface TierPrice {
  tier: TierName;
  amount: number;
  /** ISO 4217, lower case. */
  currency: string;
  interval: string;
  intervalCount: number;
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

/** An event of the provider. It identifies only the customer; the current state is queried. */
export interface ProviderEvent {
  id: string;
  /** null: an event that cannot change a subscription. */
  customerId: CustomerId | null;
}

/**
 * Port: the payment provider. A call may take some 20 seconds, so none is made inside a unit of work.
 * `once` is the idempotency key of a call.
 *
 * @throws PaymentProviderUnavailable, PaymentProviderRefused; BillingUnconfigured when there is none.
 */
export abstract class PaymentProvider {
  abstract readonly isConfigured: boolean;

  /** Tiers with a price, in the operator's order. */
  abstract readonly tiersOnSale: readonly TierName[];

  abstract createCustomer(
    teamId: TeamId,
    idempotencyKey: string,
    contact?: BillingContact,
  ): Promise<CustomerId>;

  /** Valid for a day. */
  abstract openCheckout(purchase: Purchase, idempotencyKey: string | null): Promise<Checkout>;

  /** Nothing can be bought with it afterwards. @returns false: it was completed, or is no longer open. */
  abstract endCheckout(checkout: CheckoutId): Promise<boolean>;

  /** Of the tiers on sale, as far as the provider states a fixed one. */
  abstract prices(): Promise<TierPrice[]>;

  /** @returns the URL of the customer portal; valid for some minutes. */
  abstract openPortal(
    customer: CustomerId,
    returnUrl: string,
    idempotencyKey: string | null,
  ): Promise<string>;

  /** Newest first. */
  abstract invoices(customer: CustomerId, page: PageRequest): Promise<Page<Invoice>>;

  /** All subscriptions of the customer in their current state; null: the customer was deleted. */
  abstract subscriptions(customer: CustomerId): Promise<Subscription[] | null>;

  /** Immediately, without a final invoice. */
  abstract cancel(subscription: SubscriptionId): Promise<void>;

  /** @throws InvalidSignature, InvalidEvent */
  abstract readEvent(body: Uint8Array, signature: string, now: Date): ProviderEvent;
}
