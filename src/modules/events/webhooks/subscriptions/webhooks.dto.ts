import { MODES, type Mode } from '../../../../kernel/principal.js';
import { pageOf } from '../../../../platform/http/paging/cursor.js';
import {
  AnyObject,
  Count,
  Flag,
  Id,
  ListOf,
  ObjectOf,
  OneOf,
  Remark,
  Schema,
  SchemaWithAny,
  SomeOf,
  Text,
  Time,
  WholeNumber,
} from '../../../../platform/http/validation/fields.js';
import {
  ATTEMPT_ERRORS,
  DELIVERY_STATUSES,
  type AttemptError,
  type Delivery,
  type DeliveryStatus,
  type DeliverySummary,
} from '../domain/delivery.js';
import { DISABLED_REASONS, type DisabledReason, type EventType, type Webhook } from '../domain/webhook.js';
import type { IssuedWebhook } from './webhooks.service.js';
import { EVENT_TYPES } from '../events/events.dto.js';

const MAX_URL_LENGTH = 2_048;
const MAX_DESCRIPTION_LENGTH = 200;

const Receiver = (options: { optional?: true } = {}) =>
  Text({
    ...options,
    max: MAX_URL_LENGTH,
    message: 'Send a URL, such as https://example.com/hooks.',
    tooLong: `A URL has at most ${MAX_URL_LENGTH} characters.`,
    format: 'uri',
    pattern: '^https?://',
    description:
      'The URL to which events are posted: https, on the public Internet, port 80, 443 or from 1024.',
    example: 'https://example.com/hooks',
  });

const Events = (options: { optional?: true; default?: null }) =>
  SomeOf(EVENT_TYPES, {
    ...options,
    nullable: true,
    none: 'Send at least one type, or null for all.',
    description: 'The event types to receive; null: all, including future ones.',
    example: ['bulk_job.completed', 'bulk_job.failed'],
  });

@Schema('WebhookCreate')
export class WebhookCreate {
  @Receiver()
  url: string;

  @Events({ default: null })
  events: EventType[] | null = null;

  @Remark(MAX_DESCRIPTION_LENGTH, { default: null, example: 'CRM' })
  description: string | null = null;

  @OneOf(MODES, {
    optional: true,
    message: 'Send live or test.',
    description:
      'Whether to receive events of live keys or of test keys. Default: the mode of the key of this request.',
  })
  mode?: Mode;
}

@SchemaWithAny('WebhookUpdate', ['url', 'events', 'description', 'enabled'])
export class WebhookUpdate {
  @Receiver({ optional: true })
  url?: string;

  @Events({ optional: true })
  events?: EventType[] | null;

  @Remark(MAX_DESCRIPTION_LENGTH, { optional: true, example: 'CRM' })
  description?: string | null;

  @Flag({
    optional: true,
    description: 'false: pending deliveries are discarded; true: later events are sent.',
  })
  enabled?: boolean;
}

@Schema('Webhook')
export class WebhookResponse {
  @Id('whk')
  id: string;

  @Text({ example: 'https://example.com/hooks' })
  url: string;

  @OneOf(MODES)
  mode: Mode;

  @SomeOf(EVENT_TYPES, { none: '', description: 'The subscribed event types.' })
  events: EventType[];

  @Text({ nullable: true, example: 'CRM' })
  description: string | null;

  @Flag({ example: true })
  enabled: boolean;

  @Time()
  created_at: string;

  @OneOf(DISABLED_REASONS, {
    nullable: true,
    description:
      '`owner`: disabled by the team; `gone`: the receiver returned 410; `failing`: all deliveries failed for 5 days.',
    example: null,
  })
  disabled_reason: DisabledReason | null;
}

@Schema('RecentDeliveries')
class RecentDeliveriesResponse {
  @Time({ nullable: true, description: 'When the latest delivery was created; null: there is none.' })
  last_at: string | null;

  @Count('Succeeded deliveries.')
  succeeded: number;

  @Count('Deliveries without further attempts.')
  failed: number;

  @Count('Pending deliveries after at least one failed attempt.')
  retrying: number;
}

@Schema('WebhookWithDeliveries')
export class WebhookWithDeliveriesResponse extends WebhookResponse {
  @ObjectOf(() => RecentDeliveriesResponse, { description: 'The latest 100 deliveries.' })
  recent: RecentDeliveriesResponse;
}

@Schema('NewWebhook')
export class NewWebhookResponse extends WebhookResponse {
  @Text({
    nullable: true,
    description: 'The secret for signatures; shown once, null in a replayed response.',
    example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
  })
  secret: string | null;
}

@Schema('WebhookPage')
export class WebhooksPage extends pageOf(WebhookWithDeliveriesResponse) {}

const ERRORS_OF_ATTEMPTS = Object.keys(ATTEMPT_ERRORS);

@Schema('Attempt')
class AttemptResponse {
  @Time()
  at: string;

  @WholeNumber({ nullable: true, description: 'null: no response.', example: 204 })
  status_code: number | null;

  @WholeNumber({ example: 87 })
  duration_ms: number;

  @OneOf(ERRORS_OF_ATTEMPTS, {
    nullable: true,
    description: Object.entries(ATTEMPT_ERRORS)
      .map(([code, what]) => `\`${code}\`: ${what}`)
      .join(' '),
    example: null,
  })
  error: AttemptError | null;

  @Text({
    nullable: true,
    description:
      'The first 500 bytes of the response body; null: it was empty, or this is neither the first nor the last attempt.',
    example: '',
  })
  response_excerpt: string | null;
}

@Schema('Delivery')
export class DeliveryResponse {
  @Id('dlv')
  id: string;

  @Id('evt', { description: '`webhook-id` of every attempt.' })
  event_id: string;

  @OneOf(EVENT_TYPES)
  type: EventType;

  @OneOf(DELIVERY_STATUSES)
  status: DeliveryStatus;

  @Time({ description: 'When the delivery was created. Events are delivered within seconds.' })
  created_at: string;

  @ListOf(() => AttemptResponse, { description: 'The latest 20, in order.' })
  attempts: AttemptResponse[];

  @Time({ nullable: true, description: 'null: no further attempt.', example: null })
  next_attempt_at: string | null;
}

@Schema('DeliveryDetail')
export class DeliveryDetailResponse extends DeliveryResponse {
  @Time({ description: '`timestamp` in the body of every attempt.' })
  timestamp: string;

  @AnyObject({
    description:
      '`data` in the body of every attempt. Each attempt of a `verification.completed` adds the `verdict`, which is not part of this.',
    example: { webhook_id: 'whk_01kaj3wzj4e0t9x7n2v8q5r6sm', mode: 'live' },
  })
  data: Readonly<Record<string, unknown>>;
}

@Schema('DeliveryPage')
export class DeliveriesPage extends pageOf(DeliveryResponse) {}

export function toResponse(webhook: Webhook): WebhookResponse {
  return {
    id: webhook.id,
    url: webhook.url,
    mode: webhook.mode,
    events: [...(webhook.events ?? EVENT_TYPES)],
    description: webhook.description,
    enabled: webhook.isEnabled,
    created_at: webhook.createdAt.toISOString(),
    disabled_reason: webhook.disabledReason,
  };
}

export function toResponseWithDeliveries(
  webhook: Webhook,
  { lastAt, ...counts }: DeliverySummary,
): WebhookWithDeliveriesResponse {
  return { ...toResponse(webhook), recent: { last_at: lastAt?.toISOString() ?? null, ...counts } };
}

export function toNewResponse({ webhook, secret }: IssuedWebhook): NewWebhookResponse {
  return { ...toResponse(webhook), secret };
}

export function toDelivery(delivery: Delivery): DeliveryResponse {
  return {
    id: delivery.id,
    event_id: delivery.eventId,
    type: delivery.type as EventType,
    status: delivery.status,
    created_at: delivery.createdAt.toISOString(),
    attempts: delivery.attempts.map(({ at, statusCode, durationMs, error, excerpt }) => ({
      at,
      status_code: statusCode,
      duration_ms: durationMs,
      error,
      response_excerpt: excerpt,
    })),
    next_attempt_at: delivery.dueAt?.toISOString() ?? null,
  };
}

export function toDeliveryDetail(delivery: Delivery): DeliveryDetailResponse {
  return { ...toDelivery(delivery), timestamp: delivery.occurredAt.toISOString(), data: delivery.data };
}
