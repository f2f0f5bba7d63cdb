import { Stripe } from 'stripe';
import type { BillingConfig } from '../../../platform/config/billing-config.js';
import { connect, type RetryPolicy } from '../../../platform/stripe/stripe-client.js';

/** `archived` is no longer sold, but existing subscriptions may use it; `one_time` is no subscription. */
export type PriceState = 'good' | 'unknown' | 'archived' | 'one_time';
/**
 * Why the prices could not be read: unreachable, invalid key, a key without the permission, or a
 * failure of Stripe.
 */
export type PriceCheckFailure = 'unreachable' | 'key_refused' | 'not_permitted' | 'failed';

type PriceCheck = { states: readonly PriceState[] } | { failure: PriceCheckFailure };

/** A slow connection counts as unreachable. */
const RETRY_POLICY: RetryPolicy = { timeout: 4_000, maxNetworkRetries: 0 };

/** The state of the prices that are sold, in their order; without prices, whether Stripe accepts the key. */
export async function checkPrices(config: BillingConfig, retryPolicy = RETRY_POLICY): Promise<PriceCheck> {
  const stripe = connect(config, retryPolicy);
  try {
    if (config.prices.length === 0) await stripe.prices.list({ limit: 1 });
    return { states: await Promise.all(config.prices.map(({ price }) => stateOf(stripe, price))) };
  } catch (thrown) {
    return { failure: failureOf(thrown) };
  }
}

async function stateOf(stripe: Stripe, id: string): Promise<PriceState> {
  try {
    const { active, recurring } = await stripe.prices.retrieve(id);
    if (recurring === null) return 'one_time';
    return active ? 'good' : 'archived';
  } catch (thrown) {
    if (thrown instanceof Stripe.errors.StripeError && thrown.code === 'resource_missing') return 'unknown';
    throw thrown;
  }
}

/** The message is left out: it may contain part of the key. */
function failureOf(thrown: unknown): PriceCheckFailure {
  if (thrown instanceof Stripe.errors.StripeConnectionError) return 'unreachable';
  if (thrown instanceof Stripe.errors.StripeAuthenticationError) return 'key_refused';
  if (thrown instanceof Stripe.errors.StripePermissionError) return 'not_permitted';
  return 'failed';
}
