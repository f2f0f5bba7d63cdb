import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { OpenAPIObject } from '@nestjs/swagger';
import { anApp, type TestApp } from '../support/app/app.js';

interface Schema {
  $ref?: string;
  type?: string | string[];
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  maxLength?: number;
  maxItems?: number;
  maxProperties?: number;
  maximum?: number;
}

/** Read as a stream or with a limit of its own: the tier or the reader bounds the number of entries, and each of them. */
const STREAMED = ['POST /v1/verify/bulk ', 'POST /v1/outcomes '];
/** A quantifier without an end. */
const ENDLESS = /[*+]|\{\d+,\}/;

let app: TestApp;
let document: OpenAPIObject;
beforeAll(async () => {
  app = await anApp();
  document = (await app.get('/openapi.json')).body as OpenAPIObject;
});
afterAll(() => app.stop());

function resolved(schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : (document.components?.schemas?.[name] as Schema);
}

/** The places in a schema of a request that have no bound. */
function unbounded(given: Schema, path: string, depth = 0): string[] {
  const schema = resolved(given);
  if (depth > 8) return [`${path} is nested too deep`];
  const parts = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  const found = parts.flatMap((part) => unbounded(part, path, depth + 1));
  if (schema.enum !== undefined || schema.const !== undefined) return found;
  const types = [schema.type ?? []].flat();
  const { maxLength, format, pattern } = schema;
  const isShort = pattern?.startsWith('^') === true && pattern.endsWith('$') && !ENDLESS.test(pattern);
  if (types.includes('string') && maxLength === undefined && format === undefined && !isShort)
    found.push(`${path} has no maxLength`);
  if ((types.includes('integer') || types.includes('number')) && schema.maximum === undefined)
    found.push(`${path} has no maximum`);
  if (types.includes('array')) {
    if (schema.maxItems === undefined) found.push(`${path} has no maxItems`);
    found.push(...unbounded(schema.items ?? {}, `${path}/*`, depth + 1));
  }
  if (types.includes('object') && schema.additionalProperties !== false) {
    const { additionalProperties: others, maxProperties } = schema;
    if (typeof others !== 'object' || maxProperties === undefined) found.push(`${path} may have any members`);
    else found.push(...unbounded(others, `${path}/*`, depth + 1));
  }
  for (const [name, member] of Object.entries(schema.properties ?? {}))
    found.push(...unbounded(member, `${path}/${name}`, depth + 1));
  return found;
}

it('every query parameter and body member that multiplies work or a response has a bound', () => {
  const found: string[] = [];
  for (const [path, item] of Object.entries(document.paths))
    for (const method of ['get', 'post', 'patch', 'put', 'delete'] as const) {
      const operation = item[method];
      if (operation === undefined) continue;
      const route = `${method.toUpperCase()} ${path}`;
      for (const parameter of operation.parameters ?? [])
        if ('in' in parameter && parameter.in === 'query')
          found.push(...unbounded(parameter.schema as Schema, `${route} ?${parameter.name}`));
      const body = operation.requestBody;
      if (body === undefined || '$ref' in body) continue;
      const { schema } = body.content['application/json'] ?? {};
      if (schema !== undefined) found.push(...unbounded(schema, `${route} `));
    }
  expect(found.filter((place) => !STREAMED.some((streamed) => place.startsWith(streamed)))).toEqual([]);
});
