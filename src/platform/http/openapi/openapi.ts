import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { NamedError } from '../../../kernel/errors.js';
import { FORM_TYPE } from '../body/form-file.js';
import { DEPRECATION_EXTENSION } from '../request/deprecated.js';
import type { Deprecation } from '../request/route-policy.js';
import { webhooksOf, type DocumentedEvent } from './openapi-events.js';
import { nameUnions } from './openapi-unions.js';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', minLength: 1, maxLength: 257 },
  example: '0193b8e0-5f1c-7c3a-9d52-3f6f4f2f9a41',
  description:
    '1–255 printable ASCII characters, with or without double quotes. Within 24 hours a request with the same key is processed once; further requests get the first response, with `Idempotency-Replayed: true` and without its secrets.',
} as const;

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** What the modules add to the OpenAPI document. */
export interface ApiContents {
  errors: readonly NamedError[];
  events: readonly DocumentedEvent[];
  /** Groups of operations, in the order in which a reader needs them. */
  tags: readonly ApiTag[];
}

export interface ApiTag {
  name: string;
  description: string;
}

export function openApiDocument(app: INestApplication, { errors, events, tags }: ApiContents): OpenAPIObject {
  const extraModels = events.map(({ data }) => data);
  const document = SwaggerModule.createDocument(app, outline(tags), { extraModels });
  document.components ??= {};
  document.components.parameters = { IdempotencyKey: IDEMPOTENCY_KEY };
  document.components.schemas = { ...document.components.schemas, Problem: problemSchema(errors) };
  nameUnions(document);
  document.paths = inOrder(document.paths, tags);
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of METHODS) if (item[method]) describeText(item[method]);
    if (item.get) describeLink(item.get);
    for (const method of METHODS) if (item[method]) complete(path, item[method]);
    if (path.startsWith('/v1/') && item.post) acceptKey(item.post);
  }
  document.webhooks = webhooksOf(events, document.components.schemas);
  return document;
}

function outline(tags: readonly ApiTag[]) {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Rcpt')
    .setDescription('Email address verification, with the evidence for each verdict.')
    .setVersion('1')
    // Relative: the document has the same base URL as the API.
    .addServer('/')
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addBearerAuth(
      {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'API key',
        description:
          'A key: `rcpt_live_…` or `rcpt_test_…`; for `/v1/verify` in a web page `rcpt_pub_…`, which requires an `Origin`',
      },
      'key',
    );
  for (const { name, description } of tags) builder.addTag(name, description);
  return builder.build();
}

/** Sorts paths by their tags; paths of one tag are in the order of the code. */
function inOrder(paths: OpenAPIObject['paths'], tags: readonly ApiTag[]): OpenAPIObject['paths'] {
  const names = tags.map(({ name }) => name);
  const place = (item: OpenAPIObject['paths'][string]) =>
    names.indexOf(METHODS.flatMap((method) => item[method]?.tags ?? [])[0] ?? '');
  return Object.fromEntries(Object.entries(paths).sort(([, a], [, b]) => place(a) - place(b)));
}

function problemSchema(errors: readonly NamedError[]) {
  const codes = errors.map(({ definition }) => definition.code).sort();
  const statuses = [...new Set(errors.map(({ definition }) => definition.status))].sort((a, b) => a - b);
  const text = { type: 'string' };
  return {
    type: 'object',
    required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'request_id'],
    properties: {
      type: { ...text, format: 'uri', description: 'The documentation of this code.' },
      title: text,
      status: { type: 'integer', enum: statuses },
      detail: text,
      instance: { ...text, description: 'The path of the request.' },
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
            limit: { type: 'integer', description: 'The most that is allowed, with some `too_big` errors.' },
          },
        },
      },
    },
  };
}

const PROBLEM = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } };

/**
 * Every operation has the same error responses; operations under /v1 require a key. Not `4XX`, from which some
 * generators make a name that is no identifier.
 */
function complete(path: string, operation: Operation): void {
  describeDeprecation(operation);
  operation.security = path.startsWith('/v1/') ? [{ key: [] }] : [];
  operation.responses = {
    ...operation.responses,
    400: {
      description: 'The request is not valid (RFC 9457); `code` identifies the problem.',
      content: PROBLEM,
    },
    default: { description: 'A problem (RFC 9457); `code` identifies it.', content: PROBLEM },
  };
}

type DeprecatedOperation = Operation & { [DEPRECATION_EXTENSION]?: Deprecation };

function describeDeprecation(operation: DeprecatedOperation): void {
  const deprecation = operation[DEPRECATION_EXTENSION];
  if (deprecation === undefined) return;
  delete operation[DEPRECATION_EXTENSION];
  const { since, sunset, link } = deprecation;
  const end = sunset === null ? '' : `, and may be gone from ${sunset} on`;
  operation.deprecated = true;
  operation.description =
    `Deprecated since ${since}${end}. See ${link}. ${operation.description ?? ''}`.trim();
}

/** The name of the field does not matter. `format` is the form of OpenAPI 3.0, which generators also read. */
const FILE = { type: 'string', format: 'binary', contentMediaType: 'application/octet-stream' };
const ONE_FILE = {
  type: 'object',
  required: ['file'],
  properties: { file: FILE },
  additionalProperties: false,
};

/** Schemas describe JSON; CSV and NDJSON are documented as text. */
function describeText({ requestBody, responses }: Operation): void {
  for (const described of [requestBody, ...Object.values(responses)]) {
    const { content = {} } = (described ?? {}) as { content?: Record<string, { schema?: object }> };
    for (const [type, media] of Object.entries(content))
      if (type === FORM_TYPE) media.schema = ONE_FILE;
      else if (!/\bjson$/.test(type)) media.schema = { type: 'string' };
  }
}

const LINK = {
  description: 'Where there is a next page: `<…>; rel="next"` (RFC 8288), relative to this URL.',
  schema: { type: 'string' as const },
};

/** Responses with a page also name the next page in a header. */
function describeLink({ responses }: Operation): void {
  const page = responses['200'] as
    { headers?: object; content?: Record<string, { schema?: { $ref?: string } }> } | undefined;
  if (page?.content?.['application/json']?.schema?.$ref?.endsWith('Page')) page.headers = { Link: LINK };
}

function acceptKey(operation: Operation): void {
  operation.parameters = [
    ...(operation.parameters ?? []),
    { $ref: '#/components/parameters/IdempotencyKey' },
  ];
}
