import type { Stripe } from 'stripe';
import type { BillingConfig } from '../../../../platform/config/billing-config.js';
import { fail, worstOf, pass, skipped, warn, type Check, type CheckResult } from './check.js';

export const PAYMENTS: Check = {
  check: 'payments',
  why: 'with an invalid key or price, customers cannot buy, and paying customers may lose their tier',
  network: ({ config }) => config.billing !== null,
  run: async ({ config: { billing } }) =>
    billing === null ? pass('billing is off: no STRIPE_SECRET_KEY; nothing to do') : ofBilling(billing),
};

/** A slow connection counts as unreachable. */
const RETRY_POLICY = { timeout: 4_000, maxNetworkRetries: 0 };
const AT_STRIPE = 'Stripe’s dashboard, Developers, API keys';

async function ofBilling(billing: BillingConfig): Promise<CheckResult> {
  // Loaded only if billing is configured, because the library is large.
  const { Stripe } = await import('stripe');
  const { connect } = await import('../../../../platform/stripe/stripe-client.js');
  const { StripeAuthenticationError, StripeConnectionError, StripePermissionError } = Stripe.errors;
  const stripe = connect(billing, RETRY_POLICY);
  try {
    if (billing.prices.length === 0) await stripe.prices.list({ limit: 1 });
    const prices = await Promise.all(billing.prices.map(({ price }) => priceOf(stripe, price)));
    return worstOf([...prices.flatMap((price, n) => ofPrice(billing, n, price)), ofSettings(billing)]);
  } catch (thrown) {
    // The message is left out: it may contain part of the key.
    if (thrown instanceof StripeConnectionError)
      return fail(
        `Stripe does not respond at ${billing.apiBase}`,
        'let this machine connect there (a firewall, a name server), or correct STRIPE_API_BASE',
      );
    if (thrown instanceof StripeAuthenticationError)
      return fail(
        'Stripe rejects the key',
        `set STRIPE_SECRET_KEY to one that is valid (${AT_STRIPE}); it may have been rolled or may have expired`,
      );
    if (thrown instanceof StripePermissionError)
      return warn(
        `Stripe accepts the key, in ${modeOf(billing)}, but it may not read prices; they were not compared`,
        `let the restricted key read prices (${AT_STRIPE}), or compare STRIPE_PRICES yourself`,
      );
    return skipped('Stripe responds with an internal error', 'run it again later');
  }
}

/** @returns null: Stripe does not know it. */
async function priceOf(stripe: Stripe, id: string): Promise<Stripe.Price | null> {
  try {
    return await stripe.prices.retrieve(id);
  } catch (thrown) {
    if ((thrown as { code?: string }).code === 'resource_missing') return null;
    throw thrown;
  }
}

/** The first price of a tier is sold; the others only identify existing subscriptions. */
function ofPrice(billing: BillingConfig, n: number, known: Stripe.Price | null): CheckResult | [] {
  const { tier, price } = billing.prices[n]!;
  const isSold = billing.prices.findIndex((other) => other.tier === tier) === n;
  if (known === null)
    return fail(
      `${price} of ${tier} is unknown to Stripe in ${modeOf(billing)}`,
      'correct STRIPE_PRICES; each mode has prices of its own, so price and key must be of the same',
    );
  if (isSold && known.recurring === null)
    return fail(
      `${price} of ${tier} is a one-time price, not a subscription`,
      'create a recurring price, and add it to STRIPE_PRICES',
    );
  if (isSold && !known.active)
    return fail(
      `${price} of ${tier} is archived, so it cannot be bought`,
      `put the price that is sold now first among those of ${tier} in STRIPE_PRICES, and keep this one`,
    );
  return [];
}

function ofSettings(billing: BillingConfig): CheckResult {
  if (billing.prices.length === 0)
    return warn(
      `Stripe accepts the key, in ${modeOf(billing)}, and no tier has a price`,
      'set STRIPE_PRICES to tiers with their prices, or unset the Stripe variables if nothing is sold',
    );
  const prices = billing.prices.length;
  return pass(
    `Stripe accepts the key, in ${modeOf(billing)}, and has ${prices === 1 ? 'the price' : `all ${prices} prices`}; the webhook secret is set`,
  );
}

/** The prefix of a Stripe key gives its mode (sk_live_…, rk_test_…). */
function modeOf({ secretKey }: BillingConfig): string {
  return /^[a-z]+_test_/.test(secretKey) ? 'test mode (nobody is charged)' : 'live mode';
}
