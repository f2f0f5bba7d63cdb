import { Stripe } from 'stripe';
import type { DomainError } from '../../../../kernel/errors.js';
import type { TierName } from '../../../../kernel/principal.js';
import {
  InvalidEvent,
  PaymentProviderRefused,
  PaymentProviderUnavailable,
} from '../domain/billing.errors.js';
import type { Invoice, ProviderEvent, TierPrice } from '../domain/payment-provider.js';
import { SUBSCRIPTION_STATES, type Subscription, type SubscriptionState } from '../domain/subscription.js';
import { greatest, least } from '../../../../kernel/long-lists.js';

/** Events after which a subscription may have changed. */
const SUBSCRIPTION_EVENTS = /^(customer\.subscription\.|customer\.deleted$|checkout\.session\.|invoice\.)/;
const MAX_ID_LENGTH = 255;

/** @param tierOf by price. @param failedAt when the payment of a past-due subscription first failed. */
export function toSubscription(
  stripe: Stripe.Subscription,
  tierOf: ReadonlyMap<string, TierName>,
  failedAt: Date | null,
): Subscription {
  const { items, cancel_at: cancelAt, cancel_at_period_end: cancelAtPeriodEnd } = stripe;
  const tiers = items.data.flatMap(({ price }) => tierOf.get(price.id) ?? []);
  // The period belongs to each item since API 2025-03-31; our subscriptions have one item.
  const periodEnd = cancelAtPeriodEnd ? latest(items.data.map((item) => item.current_period_end)) : null;
  return {
    id: stripe.id,
    state: toState(stripe.status),
    tier: tiers[0] ?? null,
    startedAt: toDate(stripe.created),
    endsAt: toDateOrNull(cancelAt ?? periodEnd),
    failedAt,
  };
}

/** Start of the current period. Its payment is the one that failed, as far as the subscription shows. */
export function periodStart({ items, created }: Stripe.Subscription): Date {
  return toDate(latest(items.data.map((item) => item.current_period_start)) ?? created);
}

/**
 * The first charge is attempted when an invoice is finalized; attempted invoices that are still open
 * have failed.
 */
export function firstFailure(open: readonly Stripe.Invoice[]): Date | null {
  const tried = open.filter(({ attempted }) => attempted);
  const moments = tried.map(({ status_transitions: { finalized_at: at }, created }) => at ?? created);
  return moments.length === 0 ? null : toDate(least(moments));
}

/** null: the price has no fixed amount, or is not charged again. */
export function toTierPrice(tier: TierName, price: Stripe.Price): TierPrice | null {
  const { unit_amount: amount, currency, recurring } = price;
  if (amount === null || recurring === null) return null;
  return { tier, amount, currency, interval: recurring.interval, intervalCount: recurring.interval_count };
}

export function isInvalidRequest(thrown: unknown): boolean {
  return thrown instanceof Stripe.errors.StripeInvalidRequestError;
}

export function toInvoice(stripe: Stripe.Invoice): Invoice {
  return {
    id: stripe.id ?? '',
    number: stripe.number,
    status: stripe.status,
    amountDue: stripe.amount_due,
    amountPaid: stripe.amount_paid,
    currency: stripe.currency,
    createdAt: toDate(stripe.created),
    periodStart: toDate(stripe.period_start),
    periodEnd: toDate(stripe.period_end),
    hostedUrl: stripe.hosted_invoice_url ?? null,
    pdfUrl: stripe.invoice_pdf ?? null,
  };
}

/** `fields` are details for the operator. Never the message, which may contain part of a key or of the request. */
export interface TranslatedError {
  error: DomainError;
  fields: Record<string, unknown>;
}

/** Maps Stripe's errors. Connection errors, rate limits and Stripe's own failures are temporary. */
export function translateError(thrown: unknown): TranslatedError | null {
  if (!(thrown instanceof Stripe.errors.StripeError)) return null;
  const fields = {
    provider_request_id: thrown.requestId,
    provider_status: thrown.statusCode,
    provider_error: thrown.type,
    provider_code: thrown.code,
    provider_param: thrown.param,
  };
  const temporary =
    thrown instanceof Stripe.errors.StripeConnectionError ||
    thrown instanceof Stripe.errors.StripeRateLimitError ||
    thrown instanceof Stripe.errors.StripeAPIError;
  return { error: temporary ? new PaymentProviderUnavailable() : new PaymentProviderRefused(), fields };
}

/** @param event with a valid signature. @throws InvalidEvent */
export function toEvent(event: unknown): ProviderEvent {
  if (!isObject(event) || !isId(event.id) || !isId(event.type)) throw new InvalidEvent();
  const about = isObject(event.data) && isObject(event.data.object) ? event.data.object : {};
  const customer = event.type === 'customer.deleted' ? about.id : idOf(about.customer);
  return {
    id: event.id,
    customerId: SUBSCRIPTION_EVENTS.test(event.type) && isId(customer) ? customer : null,
  };
}

function idOf(value: unknown): unknown {
  return isObject(value) ? value.id : value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]+$/.test(value) && value.length <= MAX_ID_LENGTH;
}

function toState(status: string): SubscriptionState | null {
  return SUBSCRIPTION_STATES.find((state) => state === status) ?? null;
}

function latest(seconds: readonly number[]): number | null {
  return seconds.length === 0 ? null : greatest(seconds);
}

function toDate(seconds: number): Date {
  return new Date(seconds * 1_000);
}

function toDateOrNull(seconds: number | null): Date | null {
  return seconds === null ? null : toDate(seconds);
}
