import { BillingUnconfigured, InvalidSignature } from '../domain/billing.errors.js';
import { PaymentProvider } from '../domain/payment-provider.js';

export class NoPaymentProvider extends PaymentProvider {
  readonly isConfigured = false;
  readonly tiersOnSale = [];

  createCustomer = refuse;
  openCheckout = refuse;
  endCheckout = refuse;
  prices = refuse;
  openPortal = refuse;
  invoices = refuse;
  subscriptions = refuse;
  cancel = refuse;

  /** Without a secret there is no valid signature. */
  readEvent(): never {
    throw new InvalidSignature();
  }
}

async function refuse(): Promise<never> {
  throw new BillingUnconfigured();
}
