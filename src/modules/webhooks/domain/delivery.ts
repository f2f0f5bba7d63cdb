import type { Mode, TeamId } from '../../../kernel/principal.js';
import type { SigningSecret } from './signing-secret.js';
import type { WebhookId } from './webhook.js';

export const DELIVERY_STATUSES = ['pending', 'succeeded', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** Why an attempt did not succeed. */
export const ATTEMPT_ERRORS = {
  http_status: 'The answer was not 2xx.',
  redirect: 'The answer was a redirect (3xx), which is not followed.',
  timeout: 'No answer within 15 seconds.',
  dns: 'The name was not resolved.',
  address_not_allowed: 'The URL is not allowed, or its name leads to an address that is not on the Internet.',
  connection: 'The connection failed or was cut.',
  tls: 'The TLS handshake failed: the certificate is not good for this name, or none was shown.',
  protocol: 'The answer was no HTTP.',
  content_erased: 'What this event tells of has been erased.',
  secret_unreadable: 'The secret cannot be read any more: rotate it.',
} as const;
export type AttemptError = keyof typeof ATTEMPT_ERRORS;

/** What came of sending it once. */
export interface Outcome {
  /** null: there was no answer. */
  statusCode: number | null;
  durationMs: number;
  /** null: it arrived. */
  error: AttemptError | null;
  /** How the answer began, without control characters; null: it had no body. */
  excerpt: string | null;
  /** Seconds, as the receiver asked; null: it did not. */
  retryAfter: number | null;
}

export interface Attempt extends Omit<Outcome, 'retryAfter'> {
  at: Date;
}

/** One event on its way to one webhook. */
export interface Delivery {
  id: string;
  eventId: string;
  type: string;
  status: DeliveryStatus;
  /** The latest, in their order. */
  attempts: Attempt[];
  /** null: it is not tried again. */
  dueAt: Date | null;
  createdAt: Date;
}

/** An event, as it is to be told. */
export interface EventToDeliver {
  eventId: string;
  teamId: TeamId;
  mode: Mode;
  type: string;
  data: Readonly<Record<string, unknown>>;
  occurredAt: Date;
}

/** A delivery that somebody has in hand, under a lease that ends by itself. */
export interface LeasedDelivery extends Omit<EventToDeliver, 'teamId' | 'mode'> {
  id: string;
  lease: string;
  webhookId: WebhookId;
  url: string;
  secrets: SigningSecret[];
  /** Steps of the schedule that are behind it. */
  tries: number;
}

/** What becomes of a delivery after an attempt. */
export interface Step {
  status: DeliveryStatus;
  tries: number;
  /** null: it is not tried again. */
  dueAt: Date | null;
}
