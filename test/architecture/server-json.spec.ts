import { expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const read = (name: string) => JSON.parse(readFileSync(join(root, name), 'utf8')) as Record<string, unknown>;

const INPUT = {
  description: { type: 'string' },
  format: { enum: ['string', 'number', 'boolean', 'filepath'] },
  isRequired: { type: 'boolean' },
  isSecret: { type: 'boolean' },
  placeholder: { type: 'string' },
};

/** What the schema 2025-12-11 of the registry requires of the members that the file has. */
const SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['$schema', 'name', 'description', 'version'],
  properties: {
    $schema: { const: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json' },
    name: { type: 'string', pattern: '^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$', minLength: 3, maxLength: 200 },
    title: { type: 'string', minLength: 1, maxLength: 100 },
    description: { type: 'string', minLength: 1, maxLength: 100 },
    version: { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+$' },
    websiteUrl: { type: 'string', pattern: '^https://' },
    repository: {
      type: 'object',
      additionalProperties: false,
      required: ['url', 'source'],
      properties: { url: { type: 'string', pattern: '^https://' }, source: { const: 'github' } },
    },
    remotes: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['type', 'url'],
        properties: {
          type: { const: 'streamable-http' },
          url: { type: 'string', pattern: '^https://' },
          variables: {
            type: 'object',
            additionalProperties: { type: 'object', additionalProperties: false, properties: INPUT },
          },
        },
      },
    },
    packages: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['registryType', 'identifier', 'version', 'transport'],
        properties: {
          registryType: { const: 'npm' },
          identifier: { type: 'string' },
          version: { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+$' },
          runtimeHint: { const: 'npx' },
          transport: { const: { type: 'stdio' } },
          packageArguments: {
            type: 'array',
            items: {
              type: 'object',
              additionalProperties: false,
              required: ['type', 'value'],
              properties: { type: { const: 'positional' }, value: { type: 'string' } },
            },
          },
          environmentVariables: {
            type: 'array',
            items: {
              type: 'object',
              additionalProperties: false,
              required: ['name'],
              properties: { name: { type: 'string' }, ...INPUT },
            },
          },
        },
      },
    },
  },
};

it('server.json is what the MCP registry takes, and names the package and version of package.json', () => {
  const server = read('server.json');
  const validate = new Ajv({ allErrors: true }).compile(SCHEMA);
  expect([validate(server), validate.errors]).toEqual([true, null]);
  const { name, version, mcpName, homepage } = read('package.json');
  expect(server).toMatchObject({
    name: mcpName,
    version,
    websiteUrl: homepage,
    packages: [{ identifier: name, version }],
  });
});
