import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile, writeFile } from 'node:fs/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { incompatibleChanges, type ApiDocument } from '../support/openapi/api-changes.js';
import type { Schema } from '../support/openapi/schema-changes.js';
import { withoutProse } from '../support/openapi/without-prose.js';
import { version } from '../../src/platform/telemetry/version.js';
import { anApp, type TestApp } from '../support/app/app.js';

/** The OpenAPI document of the last release. */
const RECORD = new URL('released-openapi.json.gz', import.meta.url);

interface Released {
  release: string;
  document: ApiDocument;
}

const recorded = async () => JSON.parse(gunzipSync(await readFile(RECORD)).toString()) as Released;

describe('the API', () => {
  let app: TestApp;
  let current: ApiDocument;
  beforeAll(async () => {
    app = await anApp();
    current = withoutProse((await app.get('/openapi.json')).body as ApiDocument);
  });
  afterAll(() => app.stop());

  it('changes nothing that clients of the last release depend on', async () => {
    const { document } = await recorded();
    expect(Object.keys(document.paths).length).toBeGreaterThan(40);
    expect(incompatibleChanges(document, current)).toEqual([]);
  });

  it('is recorded with UPDATE_RELEASED=1 once the version is that of a new release, and stays as it was otherwise', async () => {
    const { release, document } = await recorded();
    if (process.env.UPDATE_RELEASED !== '1') return expect(release).toMatch(/^\d+\.\d+\.\d+$/);
    expect(incompatibleChanges(document, current)).toEqual([]);
    expect(version()).not.toBe(release);
    const text = JSON.stringify({ release: version(), document: current } satisfies Released);
    await writeFile(RECORD, gzipSync(text, { level: 9 }));
  });
});

const json = (schema: Schema) => ({ content: { 'application/json': { schema } } });

/** A document with one operation, and one webhook with the same schema as its response. */
function aDocument({
  request = { type: 'object' },
  response = { type: 'object' },
  schemas = {},
}: {
  request?: Schema;
  response?: Schema;
  schemas?: Record<string, Schema>;
}): ApiDocument {
  const parameters = [
    { in: 'query', name: 'limit', required: false, schema: { type: 'integer', default: 20 } },
  ];
  const operation = {
    operationId: 'addThing',
    security: [],
    parameters,
    requestBody: { required: false, ...json(request) },
    responses: { 201: { ...json(response), headers: { Location: {} } }, default: json({ type: 'object' }) },
  };
  const event = { responses: {}, parameters: [{ in: 'header', name: 'id' }], requestBody: json(response) };
  return {
    paths: { '/things': { post: operation } },
    webhooks: { 'thing.added': { post: event } },
    components: { schemas },
  };
}

type Case = readonly [change: string, before: Schema, after: Schema, found: string | null];

const object = (properties: Record<string, Schema>, ...required: string[]): Schema => ({
  type: 'object',
  properties,
  required,
});
const text: Schema = { type: 'string' };
const count: Schema = { type: 'integer' };

describe('a request', () => {
  const cases: Case[] = [
    ['gains a member that may be left out', object({}), object({ a: text }), null],
    ['gains a required member', object({}), object({ a: text }, 'a'), '.a: now required'],
    ['loses a member', object({ a: text }), object({}), '.a: removed'],
    ['loses a required member', object({ a: text }, 'a'), object({}), '.a: removed'],
    ['no longer requires a member', object({ a: text }, 'a'), object({ a: text }), null],
    ['requires a known member', object({ a: text }), object({ a: text }, 'a'), '.a: now required'],
    [
      'takes other members no longer',
      object({}),
      { ...object({}), additionalProperties: false },
      ': no other members',
    ],
    [
      'takes fewer kinds of other members',
      object({}),
      { ...object({}), additionalProperties: text },
      '.*: any type where string is expected',
    ],
    ['takes a value more', { enum: ['a'] }, { enum: ['a', 'b'] }, null],
    ['takes a value less', { enum: ['a', 'b'] }, { enum: ['a'] }, ': no longer b'],
    ['takes only some values', text, { ...text, enum: ['a'] }, ': no longer other values'],
    ['takes any value', { ...text, enum: ['a'] }, text, null],
    ['takes another type', text, count, ': string where integer is expected'],
    ['takes null too', text, { type: ['string', 'null'] }, null],
    ['takes null no longer', { type: ['string', 'null'] }, text, ': null where string is expected'],
    ['takes fractions too', count, { type: 'number' }, null],
    ['takes fractions no longer', { type: 'number' }, count, ': number where integer is expected'],
    ['has a higher least value', { ...count, minimum: 1 }, { ...count, minimum: 2 }, ': minimum'],
    ['has a greatest value', count, { ...count, maximum: 9 }, ': maximum'],
    ['has wider bounds', { ...text, maxLength: 5, minLength: 1 }, { ...text, maxLength: 6 }, null],
    ['has shorter texts', { ...text, maxLength: 5 }, { ...text, maxLength: 4 }, ': maxLength'],
    ['has fewer items', { type: 'array', maxItems: 5 }, { type: 'array', maxItems: 4 }, ': maxItems'],
    ['has items once', { type: 'array' }, { type: 'array', uniqueItems: true }, ': uniqueItems'],
    ['has a pattern', text, { ...text, pattern: '^a' }, ': pattern'],
    ['has a format no longer', { ...text, format: 'date' }, text, null],
    ['has another default', { ...text, default: 'a' }, { ...text, default: 'b' }, ': another default'],
    [
      'has narrower items',
      { type: 'array', items: text },
      { type: 'array', items: { ...text, maxLength: 1 } },
      '[]: maxLength',
    ],
    ['is one of more', { oneOf: [text] }, { oneOf: [text, count] }, null],
    ['is one of fewer', { oneOf: [text, count] }, { oneOf: [text] }, ': integer where string is expected'],
  ];
  it.each(cases)('that %s', (_, before, after, found) => {
    const changes = incompatibleChanges(aDocument({ request: before }), aDocument({ request: after }));
    expect(changes).toEqual(found === null ? [] : [`POST /things body${found}`]);
  });
});

describe('a response, or the message of a webhook,', () => {
  const cases: Case[] = [
    ['gains a member', object({}), object({ a: text }, 'a'), null],
    ['loses a member', object({ a: text }), object({}), '.a: removed'],
    ['may lack a member', object({ a: text }, 'a'), object({ a: text }), '.a: may be missing'],
    ['always has a member', object({ a: text }), object({ a: text }, 'a'), null],
    ['may be null', text, { type: ['string', 'null'] }, ': null where string is expected'],
    ['may be null, as a union', text, { anyOf: [text, { type: 'null' }] }, ': null where string is expected'],
    ['is null no longer', { anyOf: [text, { type: 'null' }] }, text, null],
    ['has another type', text, count, ': integer where string is expected'],
    ['may have fractions', count, { type: 'number' }, ': number where integer is expected'],
    ['has a value more', { ...text, enum: ['a'] }, { ...text, enum: ['a', 'b'] }, null],
    ['has a value less', { ...text, enum: ['a', 'b'] }, { ...text, enum: ['a'] }, null],
    ['has any value', { ...text, enum: ['a'] }, text, ': any value'],
    ['has another constant', { const: 'a' }, { const: 'b' }, ': another value'],
    ['has a format no longer', { ...text, format: 'date-time' }, text, ': format'],
    ['has wider bounds', { ...text, maxLength: 5 }, text, null],
    [
      'has other items',
      { type: 'array', items: text },
      { type: 'array', items: count },
      '[]: integer where string is expected',
    ],
    [
      'has any items',
      { type: 'array', items: text },
      { type: 'array' },
      '[]: any type where string is expected',
    ],
    ['is one of more', { oneOf: [text] }, { oneOf: [text, count] }, ': integer where string is expected'],
  ];
  it.each(cases)('that %s', (_, before, after, found) => {
    const changes = incompatibleChanges(aDocument({ response: before }), aDocument({ response: after }));
    expect(changes).toEqual(found === null ? [] : [`POST /things 201${found}`, `POST thing.added${found}`]);
  });
});

describe('named schemas', () => {
  const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

  it('are compared once, under their name, also if they contain themselves', () => {
    const tree = (more: Schema) => object({ child: ref('Tree'), ...more.properties }, 'child');
    const response = object({ one: ref('Tree'), other: ref('Tree') });
    const before = aDocument({ response, schemas: { Tree: tree(object({ a: text })) } });
    const after = aDocument({ response, schemas: { Tree: tree(object({ a: count })) } });
    expect(incompatibleChanges(before, before)).toEqual([]);
    expect(incompatibleChanges(before, after)).toEqual(['Tree.a: integer where string is expected']);
  });

  it('may be replaced by one of another name, by all of several parts, or by what they stand for', () => {
    const before = aDocument({
      response: ref('Old'),
      schemas: { Old: object({ a: text, b: text }, 'a', 'b') },
    });
    const parts = { A: object({ a: text }, 'a'), B: object({ b: text }, 'b') };
    for (const response of [{ allOf: [ref('A'), ref('B')] }, object({ a: text, b: text }, 'a', 'b')])
      expect(incompatibleChanges(before, aDocument({ response, schemas: parts }))).toEqual([]);
    const lacking = aDocument({ response: ref('A'), schemas: parts });
    expect(incompatibleChanges(before, lacking)).toEqual(['A.b: removed']);
  });

  it('of a union are compared with the one that is most alike', () => {
    const union = { oneOf: [ref('One'), ref('Two')] };
    const One = object({ a: text, b: text, c: text }, 'a', 'b', 'c');
    const before = aDocument({
      response: union,
      schemas: { One, Two: object({ d: text, e: text }, 'd', 'e') },
    });
    const changed = { One, Two: object({ d: text, e: text }, 'd') };
    expect(incompatibleChanges(before, aDocument({ response: union, schemas: changed }))).toEqual([
      'POST /things 201.e: may be missing',
      'POST thing.added.e: may be missing',
    ]);
  });
});

describe('an operation', () => {
  /** A copy of the operation that may be changed. */
  type Draft = Record<string, unknown> & { parameters: object[]; responses: Record<string, object> };
  const cases: [string, (operation: Draft) => void, string | null][] = [
    ['gains a parameter', ({ parameters }) => parameters.push({ in: 'query', name: 'a' }), null],
    [
      'gains a required parameter',
      ({ parameters }) => parameters.push({ in: 'query', name: 'a', required: true }),
      ' query a: now required',
    ],
    ['loses a parameter', (operation) => (operation.parameters = []), ' query limit: removed'],
    [
      'changes the default of a parameter',
      (operation) =>
        (operation.parameters = [{ in: 'query', name: 'limit', schema: { type: 'integer', default: 50 } }]),
      ' query limit: another default',
    ],
    [
      'requires a known parameter',
      ({ parameters }) => Object.assign(parameters[0] ?? {}, { required: true }),
      ' query limit: now required',
    ],
    [
      'requires its body',
      (operation) => (operation.requestBody = { required: true, ...json({ type: 'object' }) }),
      ' body: now required',
    ],
    [
      'takes another media type',
      (operation) => (operation.requestBody = { content: { 'text/csv': {} } }),
      ' body application/json: removed',
    ],
    [
      'has another status',
      ({ responses }) => {
        responses[202] = responses[201] ?? {};
        delete responses[201];
      },
      ' 202: a new status; POST /things 201: removed',
    ],
    ['may have another status too', ({ responses }) => (responses[204] = {}), ' 204: a new status'],
    ['describes a status of its errors', ({ responses }) => (responses[409] = {}), null],
    [
      'returns another media type',
      ({ responses }) => (responses[201] = { content: { 'text/csv': {} }, headers: { Location: {} } }),
      ' 201 application/json: removed',
    ],
    [
      'loses a header',
      ({ responses }) => (responses[201] = json({ type: 'object' })),
      ' 201 Location: removed',
    ],
    ['requires a key', (operation) => (operation.security = [{ key: [] }]), ': another credential'],
    [
      'has another name in clients',
      (operation) => (operation.operationId = 'createThing'),
      ': another operationId',
    ],
    ['is deprecated', (operation) => (operation.deprecated = true), null],
  ];
  it.each(cases)('that %s', (_, change, found) => {
    const before = aDocument({});
    const after = structuredClone(before);
    change(after.paths['/things']?.post as unknown as Draft);
    expect(incompatibleChanges(before, after).join('; ')).toBe(found === null ? '' : `POST /things${found}`);
  });

  it('that is removed, and a path, a method or a webhook that is removed', () => {
    const before = aDocument({});
    const changed = (paths: ApiDocument['paths']) => incompatibleChanges(before, { ...before, paths });
    expect(changed({})).toEqual(['POST /things: removed']);
    expect(changed({ '/things': {} })).toEqual(['POST /things: removed']);
    expect(incompatibleChanges(before, { ...before, webhooks: {} })).toEqual(['POST thing.added: removed']);
  });
});
