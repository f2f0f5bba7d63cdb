import { Stripe } from 'stripe';
import { boundedFetch } from '../net/bounded-fetch.js';
import type { BillingConfig } from '../config/billing-config.js';

/** The API version that this adapter supports; upgraded only deliberately. */
const API_VERSION = '2026-10-28.endive';

/** A page of a hundred objects with all their lines has less. */
const MAX_BYTES = 10_000_000;

/** The timeout of each attempt, and the number of retries. */
export interface RetryPolicy {
  timeout: number;
  maxNetworkRetries: number;
}

/** Creates a Stripe client for the configured API base. */
export function connect(
  { secretKey, apiBase }: Pick<BillingConfig, 'secretKey' | 'apiBase'>,
  retryPolicy: RetryPolicy,
): Stripe {
  const { protocol, hostname, port } = new URL(apiBase);
  return new Stripe(secretKey, {
    apiVersion: API_VERSION,
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port),
    httpClient: Stripe.createFetchHttpClient(boundedFetch(MAX_BYTES)),
    telemetry: false,
    appInfo: { name: 'Rcpt' },
    ...retryPolicy,
  });
}
