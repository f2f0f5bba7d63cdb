import { itemsOf } from './environment-values.js';
import { parsedUrl } from '../../kernel/text/parsed-url.js';

export interface BillingConfig {
  secretKey: string;
  webhookSecret: string;
  apiBase: string;
  /** In the order given: the first price of a tier is sold, the others are recognized. */
  prices: readonly PriceOfTier[];
  /** What a checkout offers besides the purchase; default: nothing. */
  checkout?: CheckoutOptions;
}

export interface CheckoutOptions {
  /** Stripe computes the tax from the address that the buyer enters. */
  automaticTax: boolean;
  /** The buyer can enter a VAT number or the like. */
  taxIds: boolean;
  promotionCodes: boolean;
}

export interface PriceOfTier {
  tier: string;
  price: string;
}

const PAIR = /^([a-z][a-z0-9_-]{0,39})=(price_\w{1,249})$/;

/** @throws RangeError that says what to write. */
export function parsePrices(text: string): PriceOfTier[] {
  const pairs = itemsOf(text).map((item) => PAIR.exec(item));
  const prices = pairs.flatMap((pair) => (pair ? [{ tier: pair[1] ?? '', price: pair[2] ?? '' }] : []));
  const distinct = new Set(prices.map(({ price }) => price)).size;
  if (prices.length === pairs.length && distinct === prices.length) return prices;
  throw new RangeError(
    'must be tiers with their prices such as starter=price_1abc,growth=price_2def; a price belongs to one tier, a tier may have several',
  );
}

export function parseOrigin(text: string): string {
  const origin = originIn(text);
  if (origin !== null) return origin;
  throw new RangeError('must be a scheme, a host and perhaps a port, such as https://api.stripe.com');
}

export function parseOrigins(text: string): string[] {
  const origins = itemsOf(text).map(originIn);
  if (origins.every((origin) => origin !== null)) return origins;
  throw new RangeError('must be origins such as https://app.example.org, comma-separated, without a path');
}

/** Only scheme, host and port. Wildcards are rejected, because origins are compared exactly. */
function originIn(text: string): string | null {
  if (parsedUrl(text) === null || text.includes('*')) return null;
  const { protocol, origin, pathname, search, hash, username, password } = new URL(text);
  const bare = `${pathname}${search}${hash}${username}${password}` === '/';
  return /^https?:$/.test(protocol) && bare ? origin : null;
}
