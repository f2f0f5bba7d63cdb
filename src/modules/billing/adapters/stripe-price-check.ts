import { Stripe } from 'stripe';
import type { BillingConfig } from '../../../platform/config/billing-config.js';
import { connect, type RetryPolicy } from './stripe-client.js';

/** `archived` is sold no more, and may still be paid by those who have it; `one_time` is no subscription. */
export type PriceState = 'good' | 'unknown' | 'archived' | 'one_time';
/** Why Stripe did not say: out of reach, no such key, a key without that right, or a failure of its own. */
export type Trouble = 'unreachable' | 'key_refused' | 'not_permitted' | 'failed';

type PriceCheck = { states: readonly PriceState[] } | { trouble: Trouble };

/** A connection that is slow is not there. */
const PATIENCE: RetryPolicy = { timeout: 4_000, maxNetworkRetries: 0 };

/** What Stripe says of the prices that are sold, in their order; without any, whether it takes the key. */
export async function checkPrices(config: BillingConfig, patience = PATIENCE): Promise<PriceCheck> {
  const stripe = connect(config, patience);
  try {
    if (config.prices.length === 0) await stripe.prices.list({ limit: 1 });
    return { states: await Promise.all(config.prices.map(({ price }) => stateOf(stripe, price))) };
  } catch (thrown) {
    return { trouble: troubleOf(thrown) };
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

/** Nothing of the message is told: it may quote a part of the key. */
function troubleOf(thrown: unknown): Trouble {
  if (thrown instanceof Stripe.errors.StripeConnectionError) return 'unreachable';
  if (thrown instanceof Stripe.errors.StripeAuthenticationError) return 'key_refused';
  if (thrown instanceof Stripe.errors.StripePermissionError) return 'not_permitted';
  return 'failed';
}
