import type { INestApplication } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { z } from 'zod';
import type { NamedError } from '../../kernel/domain-error.js';
import { applyDecorators } from './documented.js';
import { STATUS_OF_KIND } from './problem.filter.js';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', minLength: 1, maxLength: 257 },
  description:
    '1–255 printable ASCII characters, in double quotes or not. The same request under the same key is done once in 24 hours; later ones get the first answer, with `Idempotency-Replayed: true` and without its secrets.',
} as const;
/** A kind of event that is posted to whoever has asked for it. */
export interface DocumentedEvent {
  readonly type: string;
  readonly summary: string;
  readonly body: z.ZodType;
  readonly example: unknown;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** The OpenAPI 3.1 document, generated from the routes and the schemas that guard them. */
export async function openApiDocument(
  app: INestApplication,
  errors: readonly NamedError[],
  events: readonly DocumentedEvent[],
  publicUrl: string,
): Promise<OpenAPIObject> {
  const library = await import('@nestjs/swagger');
  const { DocumentBuilder, SwaggerModule } = library;
  applyDecorators(library);
  const outline = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Rcpt')
    .setDescription('Will mail to this address arrive, and how do we know?')
    .setVersion('1')
    .addServer(publicUrl)
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addBearerAuth(
      { type: 'http', scheme: 'bearer', description: 'A key: `rcpt_live_…` or `rcpt_test_…`' },
      'key',
    )
    .build();
  const document = SwaggerModule.createDocument(app, outline, {
    standardSchemaConverter: (schema, { schemaType }) => convert(schema as z.ZodType, schemaType),
  });
  document.components ??= {};
  document.components.parameters = { IdempotencyKey: IDEMPOTENCY_KEY };
  document.components.schemas = { ...document.components.schemas, Problem: problemSchema(errors) };
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of METHODS) if (item[method]) describeText(item[method]);
    for (const method of METHODS) if (item[method]) complete(path, item[method]);
    if (path.startsWith('/v1/') && item.post) takeKey(item.post);
  }
  describeEvents(events, document);
  return document;
}

/** The `webhooks` of the document: what we post, and how we read the answer. */
function describeEvents(events: readonly DocumentedEvent[], document: OpenAPIObject): void {
  const signed = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => ({
    name,
    in: 'header' as const,
    required: true,
    description: 'Standard Webhooks 1.0.0.',
    schema: { type: 'string' as const },
  }));
  document.webhooks = {};
  for (const { type, summary, body, example } of events) {
    const { schema, components } = convert(body, 'output');
    document.components = {
      ...document.components,
      schemas: { ...document.components?.schemas, ...inComponents(components ?? {}) },
    };
    document.webhooks[type] = {
      post: {
        summary,
        tags: ['Events'],
        parameters: signed,
        requestBody: {
          required: true,
          content: { 'application/json': { schema: inComponents(schema), example } },
        },
        responses: {
          '2XX': { description: 'It has arrived.' },
          '410': { description: 'Nobody is here any more: the webhook is disabled.' },
          default: { description: 'It has not; it is sent again, up to 8 times in about 28 hours.' },
        },
      },
    };
  }
}

function inComponents<Schema extends object>(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')) as Schema;
}

/** Schemas with an id become components; the others stand where they are used. */
function convert(zod: z.ZodType, io: 'input' | 'output') {
  const json = z.toJSONSchema(zod, { io, unrepresentable: 'any' }) as Record<string, unknown>;
  const { $defs, ...schema } = json;
  delete schema.$schema;
  return { schema, components: $defs as Record<string, object> | undefined };
}

/** Every operation may fail, and fails in one shape; those under /v1 ask for a key. */
function complete(path: string, operation: Operation): void {
  if (path.startsWith('/v1/')) operation.security = [{ key: [] }];
  operation.responses = {
    ...operation.responses,
    default: {
      description: 'A problem (RFC 9457); `code` says which.',
      content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
    },
  };
}

/** A schema is about JSON: a table, or a value a line, is text to it. */
function describeText({ requestBody, responses }: Operation): void {
  for (const described of [requestBody, ...Object.values(responses)]) {
    const { content = {} } = (described ?? {}) as { content?: Record<string, { schema?: object }> };
    for (const [type, media] of Object.entries(content))
      if (!/\bjson$/.test(type)) media.schema = { type: 'string' };
  }
}

function takeKey(operation: Operation): void {
  operation.parameters = [
    ...(operation.parameters ?? []),
    { $ref: '#/components/parameters/IdempotencyKey' },
  ];
}

function problemSchema(errors: readonly NamedError[]) {
  const codes = errors.map(({ fact }) => fact.code).sort();
  const statuses = [...new Set(errors.map(({ fact }) => STATUS_OF_KIND[fact.kind]))].sort((a, b) => a - b);
  const text = { type: 'string' };
  return {
    type: 'object',
    required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'request_id'],
    properties: {
      type: { ...text, format: 'uri', description: 'The page about this code.' },
      title: text,
      status: { type: 'integer', enum: statuses },
      detail: text,
      instance: { ...text, description: 'The path that was asked for.' },
      code: { ...text, enum: codes },
      request_id: text,
      errors: {
        type: 'array',
        items: {
          type: 'object',
          required: ['pointer', 'code', 'message'],
          properties: {
            pointer: { ...text, description: 'JSON pointer (RFC 6901).' },
            code: text,
            message: text,
          },
        },
      },
    },
  };
}
