import { Stripe } from 'stripe';
import type { BillingConfig } from '../../../platform/config/billing-config.js';

/** What this adapter was written against. A newer one is a change to read about, not one that happens. */
const API_VERSION = '2026-10-28.endive';

/** For each try; how often one that failed is tried again. */
export interface RetryPolicy {
  timeout: number;
  maxNetworkRetries: number;
}

/** Stripe's library, towards where the operator says that Stripe is. */
export function connect(
  { secretKey, apiBase }: Pick<BillingConfig, 'secretKey' | 'apiBase'>,
  patience: RetryPolicy,
): Stripe {
  const { protocol, hostname, port } = new URL(apiBase);
  return new Stripe(secretKey, {
    apiVersion: API_VERSION,
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port),
    telemetry: false,
    appInfo: { name: 'Rcpt' },
    ...patience,
  });
}
