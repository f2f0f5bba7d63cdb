import type { SigningSecret } from './signing-secret.js';
import type { WebhookId } from './webhook.js';

export const DELIVERY_STATUSES = ['pending', 'succeeded', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export const ATTEMPT_ERRORS = {
  http_status: 'The response was not 2xx.',
  redirect: 'The response was a redirect (3xx), which is not followed.',
  timeout: 'No response within 15 seconds.',
  dns: 'The host name could not be resolved.',
  address_not_allowed: 'The URL is not allowed, or its host name resolves to an address that is not public.',
  connection: 'The connection failed or was closed.',
  tls: 'The TLS handshake failed: the certificate is missing or not valid for this name.',
  protocol: 'The response was not HTTP.',
  content_erased: 'The content of the event was deleted.',
  secret_unreadable: 'The secret cannot be decrypted. Rotate it.',
} as const;
export type AttemptError = keyof typeof ATTEMPT_ERRORS;

export interface Outcome {
  /** null: no response. */
  statusCode: number | null;
  durationMs: number;
  /** null: delivered. */
  error: AttemptError | null;
  /** The start of the response body, without control characters; null: no body. */
  excerpt: string | null;
  /** Seconds requested by the receiver; null: none. */
  retryAfter: number | null;
}

/** JSON. */
export interface Attempt extends Omit<Outcome, 'retryAfter'> {
  /** RFC 3339. */
  at: string;
}

export interface EventToDeliver {
  eventId: string;
  type: string;
  /** A `verification.completed` event has no verdict here: each attempt adds it. */
  data: Readonly<Record<string, unknown>>;
  occurredAt: Date;
}

export interface Delivery extends EventToDeliver {
  id: string;
  createdAt: Date;
  status: DeliveryStatus;
  /** The latest attempts, in order. */
  attempts: Attempt[];
  /** null: no further attempt. */
  dueAt: Date | null;
}

/** Which deliveries of a webhook; null: any. */
export interface DeliveryFilter {
  status: DeliveryStatus | null;
  type: string | null;
  /** Created since this time. */
  from: Date | null;
  /** Created before this time. */
  to: Date | null;
}

/** How the latest deliveries of a webhook have ended. */
export interface DeliverySummary {
  /** When the latest was created; null: there is none. */
  lastAt: Date | null;
  succeeded: number;
  failed: number;
  /** Pending after at least one failed attempt. */
  retrying: number;
}

/** A delivery claimed under a lease that expires. */
export interface LeasedDelivery extends EventToDeliver {
  id: string;
  lease: string;
  webhookId: WebhookId;
  url: string;
  secrets: SigningSecret[];
  /** Steps of the schedule already done. */
  tries: number;
}

export type DeliveryStep = Pick<Delivery, 'status' | 'dueAt'> & Pick<LeasedDelivery, 'tries'>;
