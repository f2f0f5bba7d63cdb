import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { ObjectSchema } from '../../../src/modules/protocols/mcp/domain/tool-schemas.js';
import { TOOL_NAMES, toolsOf, type ToolName } from '../../../src/modules/protocols/mcp/domain/tools.js';
import { anApp, type TestApp } from '../../support/app/app.js';

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  items?: Schema;
  properties?: Record<string, Schema>;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

/** What a tool returns, in the OpenAPI document. */
const RETURNS: Record<ToolName, string[]> = {
  verify_email: ['Verdict', 'Verdicts'],
  verify_list: ['BulkJob'],
  get_list: ['BulkJob'],
  get_list_results: ['BulkResultPage'],
  check_domain: ['Domain'],
  explain_reply: ['ReplyExplanation'],
  get_usage: ['UsageToday'],
};

let app: TestApp;
let documented: Record<string, Schema>;
beforeAll(async () => {
  app = await anApp();
  const { components } = (await app.get('/openapi.json')).body as OpenAPIObject;
  documented = components?.schemas as Record<string, Schema>;
});
afterAll(() => app.stop());

it.each(TOOL_NAMES)('%s returns what the API documents', (name) => {
  const tool = toolsOf({ files: false, hasTeam: true }).find((candidate) => candidate.name === name);
  const strange: string[] = [];
  const alternatives = RETURNS[name].map((schema) => documented[schema] ?? {});
  compare(tool?.outputSchema as ObjectSchema as Schema, alternatives, name, strange);
  expect(strange).toEqual([]);
});

it('has schemas that models take: an object without alternatives at the top', () => {
  for (const files of [true, false])
    for (const { inputSchema, outputSchema } of toolsOf({ files, hasTeam: true }))
      for (const schema of [inputSchema, outputSchema])
        expect([schema.type, 'oneOf' in schema, 'anyOf' in schema, 'allOf' in schema]).toEqual([
          'object',
          ...[false, false, false],
        ]);
});

/** Adds the paths of members that no alternative documents, or documents with other values. */
function compare(own: Schema, alternatives: readonly Schema[], path: string, strange: string[]): void {
  const all = alternatives.flatMap(resolved);
  for (const [name, member] of Object.entries(own.properties ?? {})) {
    const found = all.flatMap(({ properties = {} }) => properties[name] ?? []);
    if (found.length === 0) strange.push(`${path}.${name}`);
    else compare(member, found, `${path}.${name}`, strange);
  }
  if (own.items !== undefined)
    compare(
      own.items,
      all.flatMap(({ items }) => items ?? []),
      `${path}[]`,
      strange,
    );
  if (own.enum === undefined) return;
  const values = all.flatMap((schema) => (schema.type === 'null' ? [null] : (schema.enum ?? [])));
  const differing = [...values, ...own.enum].filter(
    (value) => !values.includes(value) || !own.enum?.includes(value),
  );
  if (differing.length > 0) strange.push(`${path}: ${differing.join(', ')}`);
}

function resolved(schema: Schema): Schema[] {
  const { $ref, anyOf = [], oneOf = [], allOf = [] } = schema;
  const target = $ref === undefined ? [] : resolved(documented[$ref.split('/').at(-1) ?? ''] ?? {});
  return [schema, ...target, ...[...anyOf, ...oneOf, ...allOf].flatMap(resolved)];
}
