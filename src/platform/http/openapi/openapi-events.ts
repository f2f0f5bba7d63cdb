import type { Type } from '@nestjs/common';
import { getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';
import { exampleOf } from './schema-example.js';

/** An event type that webhooks can subscribe to. */
export interface DocumentedEvent {
  readonly type: string;
  readonly summary: string;
  /** The class of the body's `data`. */
  readonly data: Type<object>;
  /** Members of the data that differ from the examples of its fields. */
  readonly example: object;
}

const TIME = '2026-11-21T12:00:00.000Z';

const SIGNATURE = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => ({
  name,
  in: 'header' as const,
  required: true,
  description: 'Standard Webhooks 1.0.0.',
  schema: { type: 'string' as const },
}));

const RESPONSES = {
  '2XX': { description: 'The event was received.' },
  '410': { description: 'The receiver no longer exists: the webhook is disabled.' },
  default: { description: 'The attempt has failed. There are up to 8 attempts in about 28 hours.' },
};

/** The `webhooks` of the document: the requests, and the meaning of the responses. */
export function webhooksOf(
  events: readonly DocumentedEvent[],
  schemas: Readonly<Record<string, object>>,
): NonNullable<OpenAPIObject['webhooks']> {
  const operations = events.map(({ type, summary, data, example }) => {
    const $ref = getSchemaPath(data);
    const schema = {
      type: 'object',
      required: ['type', 'timestamp', 'data'],
      properties: {
        type: { type: 'string', const: type },
        timestamp: { type: 'string', format: 'date-time', description: 'The time of the event.' },
        data: { $ref },
      },
      additionalProperties: false,
    };
    const body = { type, timestamp: TIME, data: { ...(exampleOf({ $ref }, schemas) as object), ...example } };
    const requestBody = { required: true, content: { 'application/json': { schema, example: body } } };
    const post = {
      operationId: operationIdOf(type),
      summary,
      tags: ['Events'],
      // Deliveries are authenticated by their signature, not by a key.
      security: [],
      parameters: SIGNATURE,
      requestBody,
      responses: RESPONSES,
    };
    return [type, { post }] as const;
  });
  return Object.fromEntries(operations);
}

/** `onBulkJobCompleted` for `bulk_job.completed`. */
function operationIdOf(type: string): string {
  const words = type.split(/[._]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `on${words.join('')}`;
}
