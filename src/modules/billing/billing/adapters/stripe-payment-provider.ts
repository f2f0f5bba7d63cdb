import type { Stripe } from 'stripe';
import type { TeamId, TierName } from '../../../../kernel/principal.js';
import type { Meter } from '../../../../kernel/meter.js';
import type { Pause } from '../../../../kernel/service-state/pause.js';
import type { Page, PageRequest } from '../../../../kernel/page.js';
import type { BillingConfig, CheckoutOptions } from '../../../../platform/config/billing-config.js';
import { requestContexts } from '../../../../platform/telemetry/request-context.js';
import { describeError, type Log } from '../../../../platform/telemetry/log.js';
import {
  InvalidEvent,
  InvalidSignature,
  PaymentProviderRefused,
  PaymentProviderUnavailable,
} from '../domain/billing.errors.js';
import {
  PaymentProvider,
  type BillingContact,
  type Checkout,
  type CheckoutId,
  type CustomerId,
  type Invoice,
  type ProviderEvent,
  type Purchase,
  type TierPrice,
} from '../domain/payment-provider.js';
import type { Subscription, SubscriptionId } from '../domain/subscription.js';
import { connect, type RetryPolicy } from '../../../../platform/stripe/stripe-client.js';
import {
  firstFailure,
  isInvalidRequest,
  periodStart,
  toEvent,
  toInvoice,
  toSubscription,
  toTierPrice,
  translateError,
} from './stripe-translation.js';

/** Three attempts and the pauses between them stay below a client's usual timeout. */
const RETRY_POLICY: RetryPolicy = { timeout: 6_000, maxNetworkRetries: 2 };
/** For background calls that are repeated later anyway: a worker that shuts down waits for them. */
const NO_RETRIES: Stripe.RequestOptions = { maxNetworkRetries: 0 };
const NO_OPTIONS: CheckoutOptions = { automaticTax: false, taxIds: false, promotionCodes: false };
/** Prices are shown if they arrive soon. */
const PRICE_OPTIONS: Stripe.RequestOptions = { timeout: 3_000, maxNetworkRetries: 0 };
/** The default of the library, and Stripe's recommendation. */
const MAX_SIGNATURE_AGE_SECONDS = 300;
/** More than a customer ever has. */
const MAX_SUBSCRIPTIONS = 1_000;

/** Stripe, through its own library. Its types stay in this adapter; its messages are never passed on. */
export class StripePaymentProvider extends PaymentProvider {
  readonly isConfigured = true;
  readonly tiersOnSale: readonly TierName[];
  private readonly tierOf: ReadonlyMap<string, TierName>;
  private readonly stripe: Stripe;

  constructor(
    private readonly config: BillingConfig,
    private readonly log: Pick<Log, 'error' | 'warn'>,
    private readonly meter: Meter,
    private readonly pause: Pause,
    retryPolicy: RetryPolicy = RETRY_POLICY,
  ) {
    super();
    const { prices } = config;
    this.tiersOnSale = [...new Set(prices.map(({ tier }) => tier))];
    this.tierOf = new Map(prices.map(({ tier, price }) => [price, tier]));
    this.stripe = connect(config, retryPolicy);
  }

  createCustomer(teamId: TeamId, once: string, contact?: BillingContact): Promise<CustomerId> {
    return this.call(async (stripe) => {
      const customer = await stripe.customers.create(
        { ...customerOf(contact), metadata: { rcpt_team_id: teamId } },
        { idempotencyKey: once },
      );
      return customer.id;
    });
  }

  openCheckout(purchase: Purchase, once: string | null): Promise<Checkout> {
    const { teamId, customerId, tier, successUrl, cancelUrl } = purchase;
    const price = this.priceOf(tier);
    return this.call(async (stripe) => {
      const session = await stripe.checkout.sessions.create(
        {
          mode: 'subscription',
          customer: customerId,
          client_reference_id: teamId,
          line_items: [{ price, quantity: 1 }],
          subscription_data: { metadata: { rcpt_team_id: teamId } },
          success_url: successUrl,
          cancel_url: cancelUrl,
          ...offers(this.config.checkout),
        },
        requestOptions(once),
      );
      return { id: session.id, url: where(session.url) };
    });
  }

  endCheckout(checkout: CheckoutId): Promise<boolean> {
    return this.call(async (stripe) => {
      const session = await stripe.checkout.sessions.expire(checkout).catch(notOpen);
      return session !== null;
    });
  }

  prices(): Promise<TierPrice[]> {
    return this.call(async (stripe) => {
      const found = await Promise.all(
        this.tiersOnSale.map(async (tier) => {
          const price = await stripe.prices.retrieve(this.priceOf(tier), {}, PRICE_OPTIONS);
          return toTierPrice(tier, price);
        }),
      );
      return found.filter((price) => price !== null);
    });
  }

  openPortal(customer: CustomerId, returnUrl: string, once: string | null): Promise<string> {
    return this.call(async (stripe) => {
      const session = await stripe.billingPortal.sessions.create(
        { customer, return_url: returnUrl },
        requestOptions(once),
      );
      return where(session.url);
    });
  }

  invoices(customer: CustomerId, { limit, after }: PageRequest): Promise<Page<Invoice>> {
    return this.call(async (stripe) => {
      const list = await stripe.invoices.list({
        customer,
        limit,
        ...(after !== null && { starting_after: after.id }),
      });
      const items = list.data.map(toInvoice);
      const last = items.at(-1);
      return { items, next: list.has_more && last ? { at: last.createdAt, id: last.id } : null };
    });
  }

  subscriptions(customer: CustomerId): Promise<Subscription[] | null> {
    return this.call(async (stripe) => {
      const all = await listed(stripe, customer);
      if (all === null) return null;
      return Promise.all(
        all.map(async (item) => toSubscription(item, this.tierOf, await failedAt(stripe, item))),
      );
    });
  }

  async cancel(subscription: SubscriptionId): Promise<void> {
    await this.call((stripe) => stripe.subscriptions.cancel(subscription, {}, NO_RETRIES));
  }

  readEvent(body: Uint8Array, signature: string, now: Date): ProviderEvent {
    const { webhookSecret } = this.config;
    const age = [MAX_SIGNATURE_AGE_SECONDS, undefined, now.getTime()] as const;
    let event: Stripe.Event;
    try {
      event = this.stripe.webhooks.constructEvent(body, signature, webhookSecret, ...age);
    } catch (error) {
      // The body is parsed after the signature is verified. Other errors are those of signatures, also malformed ones.
      throw error instanceof SyntaxError ? new InvalidEvent() : new InvalidSignature();
    }
    return toEvent(event);
  }

  /** The first price of the tier is the one that is sold. */
  private priceOf(tier: TierName): string {
    return this.config.prices.find((entry) => entry.tier === tier)?.price ?? '';
  }

  private async call<T>(request: (stripe: Stripe) => Promise<T>): Promise<T> {
    this.pause.requireActive();
    try {
      const response = await request(this.stripe);
      this.meter.count('rcpt_payment_calls_total', 'succeeded');
      return response;
    } catch (thrown) {
      const translated = translateError(thrown);
      const isRefused = translated?.error instanceof PaymentProviderRefused;
      this.meter.count('rcpt_payment_calls_total', isRefused ? 'rejected' : 'unavailable');
      const requestId = requestContexts.value?.requestId;
      if (translated === null) {
        // The response of Stripe has an unexpected form.
        this.log.error(
          { request_id: requestId, err: describeError(thrown) },
          'the payment provider sent an unexpected response',
        );
        throw new PaymentProviderUnavailable();
      }
      const fields = { request_id: requestId, ...translated.fields };
      if (isRefused) this.log.error(fields, 'the payment provider rejected the request');
      else this.log.warn(fields, 'the payment provider failed');
      throw translated.error;
    }
  }
}

/**
 * null: the customer was deleted. A customer that this key cannot see is an error, so that no team
 * loses its tier by it.
 */
async function listed(stripe: Stripe, customer: CustomerId): Promise<Stripe.Subscription[] | null> {
  const found = await stripe.customers.retrieve(customer, {}, NO_RETRIES);
  if (found.deleted === true) return null;
  return stripe.subscriptions
    .list({ customer, status: 'all', limit: 100 }, NO_RETRIES)
    .autoPagingToArray({ limit: MAX_SUBSCRIPTIONS });
}

async function failedAt(stripe: Stripe, subscription: Stripe.Subscription): Promise<Date | null> {
  if (subscription.status !== 'past_due') return null;
  const open = await stripe.invoices
    .list({ subscription: subscription.id, status: 'open', limit: 100 }, NO_RETRIES)
    .autoPagingToArray({ limit: MAX_SUBSCRIPTIONS });
  return firstFailure(open) ?? periodStart(subscription);
}

function customerOf(contact?: BillingContact): Stripe.CustomerCreateParams {
  if (contact === undefined) return {};
  const { name, email } = contact;
  return { name, ...(email !== null && { email }) };
}

/** Stripe requires that the customer is updated with what the buyer enters. */
function offers({ automaticTax, taxIds, promotionCodes }: CheckoutOptions = NO_OPTIONS) {
  const update = {
    ...(automaticTax && { address: 'auto' as const }),
    ...(taxIds && { name: 'auto' as const }),
  };
  return {
    ...(automaticTax && { automatic_tax: { enabled: true } }),
    ...(taxIds && { tax_id_collection: { enabled: true } }),
    ...((automaticTax || taxIds) && { customer_update: update }),
    ...(promotionCodes && { allow_promotion_codes: true }),
  };
}

/** A checkout that was completed or has expired cannot be expired. */
function notOpen(error: unknown): null {
  if (isInvalidRequest(error)) return null;
  throw error;
}

/** Without a key the library generates one, so that its retries are idempotent too. */
function requestOptions(once: string | null): Stripe.RequestOptions {
  return once === null ? {} : { idempotencyKey: once };
}

function where(url: string | null): string {
  if (url === null) throw new Error('Stripe opened a session without a URL');
  return url;
}
