import { z } from 'zod';

/** What is for sale, and how the payment provider is reached. */
export interface BillingConfig {
  secretKey: string;
  webhookSecret: string;
  /** Where its API is, without a path. */
  apiBase: string;
  /** In the order given: the first price of a tier is sold, the others are recognised. */
  prices: readonly { tier: string; price: string }[];
}

const PAIR = /^([a-z][a-z0-9_-]{0,39})=(\w{1,255})$/;
const WRITE_PRICES =
  'must be tiers with their prices such as starter=price_1abc,growth=price_2def; a price stands for one tier, a tier may have several';

const items = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

const prices = z.string().transform((text, context) => {
  const pairs = items(text).map((pair) => PAIR.exec(pair));
  const read = pairs.flatMap((pair) => (pair ? [{ tier: pair[1] ?? '', price: pair[2] ?? '' }] : []));
  const distinct = new Set(read.map(({ price }) => price)).size;
  if (read.length === pairs.length && distinct === read.length) return read;
  context.addIssue(WRITE_PRICES);
  return z.NEVER;
});

/** Scheme, host and port, and nothing else; no pattern, which would fit nothing. */
function originIn(text: string): string | null {
  if (!URL.canParse(text) || text.includes('*')) return null;
  const { protocol, origin, pathname, search, hash, username, password } = new URL(text);
  const bare = `${pathname}${search}${hash}${username}${password}` === '/';
  return /^https?:$/.test(protocol) && bare ? origin : null;
}

const origin = z.string().transform((text, context) => {
  const read = originIn(text);
  if (read !== null) return read;
  context.addIssue('must be a scheme, a host and perhaps a port, such as https://api.stripe.com');
  return z.NEVER;
});

const origins = z.string().transform((text, context) => {
  const read = items(text).map(originIn);
  if (read.every((each) => each !== null)) return read;
  context.addIssue('must be origins such as https://app.example.org, comma-separated, without a path');
  return z.NEVER;
});

/** The variables of billing, for the one schema in config.ts. */
export const BILLING_VARIABLES = {
  STRIPE_SECRET_KEY: z.string().regex(/^\S+$/, 'must be a key such as sk_live_…').optional(),
  STRIPE_WEBHOOK_SECRET: z.string().regex(/^\S+$/, 'must be a secret such as whsec_…').optional(),
  STRIPE_PRICES: prices.default([]),
  STRIPE_API_BASE: origin.default('https://api.stripe.com'),
  REDIRECT_ORIGINS: origins.default([]),
};

interface BillingVariables {
  STRIPE_SECRET_KEY?: string | undefined;
  STRIPE_WEBHOOK_SECRET?: string | undefined;
  STRIPE_PRICES: BillingConfig['prices'];
  STRIPE_API_BASE: string;
}

/** @returns null when nothing is sold; a sentence when only half of it is set. */
export function billingIn(e: BillingVariables): BillingConfig | null | string {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = e;
  if (secretKey === undefined && webhookSecret === undefined) return null;
  if (secretKey === undefined || webhookSecret === undefined) {
    return (
      'STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET go together: the key that we call Stripe with, and the ' +
      'secret that it signs its events with. With neither, billing answers 503 and all else works.'
    );
  }
  return { secretKey, webhookSecret, apiBase: e.STRIPE_API_BASE, prices: e.STRIPE_PRICES };
}
