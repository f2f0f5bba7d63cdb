import { BillingUnconfigured, InvalidSignature } from '../billing.errors.js';
import { PaymentProvider } from '../domain/payment-provider.js';

/** Nothing is sold here: no key is configured. */
export class NoPaymentProvider extends PaymentProvider {
  readonly isConfigured = false;
  readonly tiersOnSale = [];

  createCustomer = refuse;
  openCheckout = refuse;
  openPortal = refuse;
  invoices = refuse;
  subscriptions = refuse;
  cancel = refuse;

  /** No secret is set that anything could be signed with. */
  checkSignature(): never {
    throw new InvalidSignature();
  }

  readEvent(): never {
    throw new InvalidSignature();
  }
}

async function refuse(): Promise<never> {
  throw new BillingUnconfigured();
}
