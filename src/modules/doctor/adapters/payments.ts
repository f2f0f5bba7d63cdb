import type { PriceCheckFailure, PriceState } from './stripe-price-check.js';
import type { BillingConfig } from '../../../platform/config/billing-config.js';
import { fail, worstOf, pass, skipped, warn, type Check, type CheckResult } from './check.js';

export const PAYMENTS: Check = {
  check: 'payments',
  why: 'with an invalid key or price, customers cannot buy, and paying customers may lose their tier',
  network: ({ config }) => config.billing !== null,
  run: async ({ config: { billing } }) => {
    if (billing === null) return pass('billing is off: no STRIPE_SECRET_KEY; nothing to do');
    // Loaded only if billing is configured, because the library is large.
    const { checkPrices } = await import('./stripe-price-check.js');
    const seen = await checkPrices(billing);
    if ('failure' in seen) return TROUBLE[seen.failure](billing);
    return worstOf([...seen.states.flatMap((state, n) => ofPrice(billing, n, state)), ofSettings(billing)]);
  },
};

const AT_STRIPE = 'Stripe’s dashboard, Developers, API keys';

const TROUBLE: Readonly<Record<PriceCheckFailure, (billing: BillingConfig) => CheckResult>> = {
  unreachable: ({ apiBase }) =>
    fail(
      `Stripe does not answer at ${apiBase}`,
      'let this machine connect there (a firewall, a name server), or correct STRIPE_API_BASE',
    ),
  key_refused: () =>
    fail(
      'Stripe rejects the key',
      `set STRIPE_SECRET_KEY to one that is valid (${AT_STRIPE}); it may have been rolled or may have expired`,
    ),
  not_permitted: (billing) =>
    warn(
      `Stripe accepts the key, in ${modeOf(billing)}, but it may not read prices; they were not compared`,
      `let the restricted key read prices (${AT_STRIPE}), or compare STRIPE_PRICES yourself`,
    ),
  failed: () => skipped('Stripe responds with an internal error', 'run it again later'),
};

/** The first price of a tier is sold; the others only identify existing subscriptions. */
function ofPrice(billing: BillingConfig, n: number, state: PriceState): CheckResult | [] {
  const { tier, price } = billing.prices[n]!;
  const isSold = billing.prices.findIndex((other) => other.tier === tier) === n;
  if (state === 'unknown')
    return fail(
      `${price} of ${tier} is unknown to Stripe in ${modeOf(billing)}`,
      'correct STRIPE_PRICES; each mode has prices of its own, so price and key must be of the same',
    );
  if (isSold && state === 'archived')
    return fail(
      `${price} of ${tier} is archived, so it cannot be bought`,
      `put the price that is sold now first among those of ${tier} in STRIPE_PRICES, and keep this one`,
    );
  if (isSold && state === 'one_time')
    return fail(
      `${price} of ${tier} is a one-time price, not a subscription`,
      'create a recurring price, and add it to STRIPE_PRICES',
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
