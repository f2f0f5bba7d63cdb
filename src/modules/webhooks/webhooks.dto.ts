import { z } from 'zod';
import { MODES } from '../../kernel/principal.js';
import { listOf, PageQuery } from '../../platform/http/cursor.js';
import { remarkOf } from '../../platform/http/fields.js';
import { ATTEMPT_ERRORS, DELIVERY_STATUSES, type AttemptError, type Delivery } from './domain/delivery.js';
import { EVENT_TYPES } from './domain/event-types.js';
import { DISABLED_REASONS, type Webhook } from './domain/webhook.js';
import type { IssuedWebhook, WebhookInput } from './webhooks.service.js';

const LONGEST_URL = 2_048;
const LONGEST_DESCRIPTION = 200;

const UrlField = z
  .string('Send a URL, as in https://example.com/hooks.')
  .max(LONGEST_URL, `A URL has at most ${LONGEST_URL} characters.`)
  .meta({
    description: 'Where events are posted: https, reached through the Internet, port 80, 443 or from 1024.',
    example: 'https://example.com/hooks',
  });

const EventsField = z
  .array(z.enum(EVENT_TYPES, `Send some of ${EVENT_TYPES.join(', ')}.`))
  .min(1, 'Send at least one type, or null for all.')
  .max(EVENT_TYPES.length, 'Send each type once.')
  .refine((types) => new Set(types).size === types.length, 'Send each type once.')
  .meta({ uniqueItems: true })
  .nullable()
  .meta({ description: 'What to hear of; null: everything, also what there will be later.' });

const DescriptionField = remarkOf(LONGEST_DESCRIPTION).unwrap();

export const WebhookCreate = z
  .strictObject({
    url: UrlField,
    events: EventsField.default(null),
    description: DescriptionField.default(null),
    mode: z.enum(MODES, 'Send live or test.').optional().meta({
      description:
        'Whether to hear of what is done with live or with test keys; left out, as the key you show.',
    }),
  })
  .meta({ id: 'WebhookCreate' });

export const WebhookUpdate = z
  .strictObject({
    url: UrlField.optional(),
    events: EventsField.optional(),
    description: DescriptionField.optional(),
    enabled: z.boolean('Send true or false.').optional().meta({
      description: 'false: what waits to be sent is given up; true: from now on events are sent again.',
    }),
  })
  .refine((changes) => Object.values(changes).some((value) => value !== undefined), {
    message: 'Send at least one of url, events, description, enabled.',
  })
  .meta({ id: 'WebhookUpdate', minProperties: 1 });

const members = {
  id: z.string(),
  url: z.string(),
  mode: z.enum(MODES),
  events: z.array(z.enum(EVENT_TYPES)).meta({ description: 'What it hears of.' }),
  description: z.string().nullable(),
  enabled: z.boolean(),
  created_at: z.iso.datetime(),
  disabled_reason: z.enum(DISABLED_REASONS).nullable().meta({
    description:
      '`owner`: somebody of the team; `gone`: the receiver answered 410; `failing`: nothing arrived for 5 days.',
  }),
};

export const WebhookResponse = z.strictObject(members).meta({ id: 'Webhook' });
export type WebhookResponse = z.infer<typeof WebhookResponse>;

export const NewWebhookResponse = z
  .strictObject({
    ...members,
    secret: z.string().nullable().meta({
      description: 'Signs what is sent; shown this once, and null when the answer is replayed.',
    }),
  })
  .meta({ id: 'NewWebhook' });
export type NewWebhookResponse = z.infer<typeof NewWebhookResponse>;

export const WebhooksPage = listOf(WebhookResponse);
export type WebhooksPage = z.infer<typeof WebhooksPage>;

export const DeliveriesQuery = PageQuery.extend({
  status: z.enum(DELIVERY_STATUSES, `Send one of ${DELIVERY_STATUSES.join(', ')}.`).optional(),
});

export const DeliveryResponse = z
  .strictObject({
    id: z.string(),
    event_id: z.string().meta({ description: '`webhook-id` of every attempt.' }),
    type: z.enum(EVENT_TYPES),
    status: z.enum(DELIVERY_STATUSES),
    attempts: z
      .array(
        z.strictObject({
          at: z.iso.datetime(),
          status_code: z.int().nullable().meta({ description: 'null: there was no answer.' }),
          duration_ms: z.int(),
          error: z
            .enum(Object.keys(ATTEMPT_ERRORS) as [AttemptError, ...AttemptError[]])
            .nullable()
            .meta({
              description: Object.entries(ATTEMPT_ERRORS)
                .map(([code, what]) => `\`${code}\`: ${what}`)
                .join(' '),
            }),
          response_excerpt: z.string().nullable().meta({ description: 'How the answer’s body began.' }),
        }),
      )
      .meta({ description: 'In their order, the latest 20.' }),
    next_attempt_at: z.iso.datetime().nullable().meta({ description: 'null: there will be none.' }),
  })
  .meta({ id: 'Delivery' });
export type DeliveryResponse = z.infer<typeof DeliveryResponse>;

export const DeliveriesPage = listOf(DeliveryResponse);
export type DeliveriesPage = z.infer<typeof DeliveriesPage>;

export function toInput({ url, events, description, mode }: z.infer<typeof WebhookCreate>): WebhookInput {
  return { url, events, description, mode: mode ?? null };
}

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

export function toNewResponse({ webhook, secret }: IssuedWebhook): NewWebhookResponse {
  return { ...toResponse(webhook), secret };
}

export function toDelivery(delivery: Delivery): DeliveryResponse {
  return {
    id: delivery.id,
    event_id: delivery.eventId,
    type: delivery.type as DeliveryResponse['type'],
    status: delivery.status,
    attempts: delivery.attempts.map(({ at, statusCode, durationMs, error, excerpt }) => ({
      at: at.toISOString(),
      status_code: statusCode,
      duration_ms: durationMs,
      error,
      response_excerpt: excerpt,
    })),
    next_attempt_at: delivery.dueAt?.toISOString() ?? null,
  };
}
