import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { NewAccount } from '../../src/modules/accounts/accounts/accounts.service.js';
import { REASONS } from '../../src/kernel/verdict.js';
import { ResponseValidator } from '../support/openapi/response-validator.js';
import { anApp, type TestApp } from '../support/app/app.js';
import { routesOf } from '../support/openapi/routes.js';

interface Operation {
  responses: object;
}
interface Union {
  anyOf?: object[];
  allOf?: object[];
}

describe('the OpenAPI document', () => {
  let app: TestApp;
  let account: NewAccount;
  let document: OpenAPIObject;
  let answers: ResponseValidator;

  beforeAll(async () => {
    app = await anApp();
    account = await app.anAccount();
    document = (await app.get('/openapi.json')).body as OpenAPIObject;
    answers = new ResponseValidator(document);
  });
  afterAll(() => app.stop());

  it('is OpenAPI 3.1', () => {
    expect(document.openapi).toBe('3.1.0');
  });

  it('contains every route except those of browsers and other protocols, and no other', () => {
    const documented = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const routes = routesOf(app);
    const expected = routes
      .filter(({ isDocumented }) => isDocumented)
      .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
    expect(documented.sort()).toEqual(expected.sort());
    const pages = routes.filter(({ isDocumented }) => !isDocumented);
    expect(pages.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
      'GET /.well-known/oauth-authorization-server',
      'GET /.well-known/oauth-authorization-server/mcp',
      'GET /.well-known/oauth-protected-resource',
      'GET /.well-known/oauth-protected-resource/mcp',
      'GET /.well-known/openid-configuration',
      'GET /.well-known/openid-configuration/mcp',
      'GET /mcp/.well-known/oauth-authorization-server',
      'GET /mcp/.well-known/oauth-protected-resource',
      'GET /mcp/.well-known/openid-configuration',
      'GET /oauth/authorize',
      'GET /oauth/authorize/:id',
      'GET /oauth/consent/:id',
      'GET /oauth/consent/:id/request',
      'GET /oauth/jwks',
      'GET /signin/oidc',
      'GET /signin/oidc/callback',
      'GET /v1/bulk/:job_id',
      'GET /v1/bulk/:job_id/results',
      'POST /mcp',
      'POST /oauth/consent/:id',
      'POST /oauth/register',
      'POST /oauth/revoke',
      'POST /oauth/token',
      'POST /v0/check_email',
      'POST /v1/bulk',
      'POST /v1/check_email',
    ]);
  });

  it('describes every query parameter of verify', () => {
    const parameters = document.paths['/v1/verify']?.get?.parameters as { name: string; required: boolean }[];
    expect(parameters.map(({ name, required }) => [name, required])).toEqual([
      ['email', true],
      ['refresh', false],
      ['max_age', false],
      ['timeout', false],
    ]);
  });

  it('matches the verdict of every reason', async () => {
    // Single calls have an error of that name.
    for (const reason of REASONS.filter((other) => other !== 'rate_limited')) {
      const answer = await app.get(`/v1/verify?email=${reason}@example.com`, account.testKey);
      expect((answer.body as { reason: string }).reason).toBe(reason);
      answers.expect('GET', '/v1/verify', answer);
    }
  });

  it('matches every problem that verify can return', async () => {
    const problems = [
      app.get('/v1/verify?email=jane@example.com'),
      app.get('/v1/verify?email=jane@example.com', 'rcpt_live_nonsense'),
      app.get('/v1/verify', account.testKey),
      app.get('/v1/verify?email=rate_limited@example.com', account.testKey),
      app.get('/v1/verify?email=quota_exceeded@example.com', account.testKey),
      app.get('/v1/verify?email=upgrade_required@example.com', account.testKey),
    ];
    const statuses = [];
    for (const problem of problems) {
      const answer = await problem;
      statuses.push(answer.status);
      answers.expect('GET', '/v1/verify', answer);
    }
    expect(statuses).toEqual([401, 401, 400, 429, 429, 402]);
  });

  it('matches the health responses', async () => {
    answers.expect('GET', '/livez', await app.get('/livez'));
    answers.expect('GET', '/readyz', await app.get('/readyz'));
  });

  it('declares authentication for /v1 routes only', () => {
    for (const [path, item] of Object.entries(document.paths)) {
      for (const { security = [] } of Object.values(item) as { security?: object[] }[]) {
        expect([path, security]).toEqual([path, path.startsWith('/v1/') ? [{ key: [] }] : []]);
      }
    }
  });

  it('has the base URL of the API, and tags in the order of use', () => {
    expect(document.servers).toEqual([{ url: '/' }]);
    const tags = document.tags?.map(({ name }) => name) ?? [];
    expect([tags[0], tags.at(-1)]).toEqual(['Verification', 'Health']);
    for (const { name, description } of document.tags ?? [])
      expect([name, description]).toEqual([name, expect.stringMatching(/\.$/)]);
    const paths = Object.keys(document.paths);
    expect([paths[0], paths.at(-1)]).toEqual(['/v1/verify', '/metrics']);
    for (const item of Object.values(document.paths))
      for (const { tags: used = [] } of Object.values(item) as { tags?: string[] }[])
        expect(tags).toEqual(expect.arrayContaining(used));
  });

  it('refers to nothing but its own components', () => {
    const text = JSON.stringify(document);
    for (const [, ref = ''] of text.matchAll(/"\$ref":"([^"]*)"/g)) {
      const [, kind = '', name = ''] = /^#\/components\/(\w+)\/(\w+)$/.exec(ref) ?? [];
      const components = document.components as Record<string, Record<string, object>>;
      expect([ref, components[kind]?.[name] !== undefined]).toEqual([ref, true]);
    }
    expect(text).toContain('"$ref":"#/components/schemas/BulkVerifyRequest"');
  });

  it('has no union without a name in another schema, because generators of clients leave such schemas out', () => {
    const { schemas = {} } = document.components ?? {};
    const unions = (value: unknown): Union[] => {
      if (typeof value !== 'object' || value === null) return [];
      const found = Object.values(value).flatMap(unions);
      return ['anyOf', 'oneOf', 'allOf'].some((name) => name in value) ? [...found, value] : found;
    };
    const named = new Set(Object.values(schemas));
    const isNull = (schema: object) => 'type' in schema && schema.type === 'null';
    const unnamed = unions([document.paths, schemas, document.webhooks])
      .filter((union) => !named.has(union))
      // One schema with a description, and one that may be null.
      .filter(({ anyOf, allOf }) => (anyOf?.filter((schema) => !isNull(schema)) ?? allOf)?.length !== 1);
    expect(unnamed).toEqual([]);
    expect(schemas.BulkResult).toMatchObject({
      anyOf: [
        { $ref: '#/components/schemas/FinishedBulkResult' },
        { $ref: '#/components/schemas/UnfinishedBulkResult' },
      ],
    });
    expect(schemas.VerifyRequest).toEqual({
      oneOf: [{ $ref: '#/components/schemas/VerifyOne' }, { $ref: '#/components/schemas/VerifyMany' }],
    });
    expect(schemas.VerifyMany).toMatchObject({ required: ['emails'], additionalProperties: false });
    expect(Object.keys((schemas.VerifyMany as { properties: object }).properties)).not.toContain('email');
  });

  it('names responses by a status or default, because generators make names of them', () => {
    const operations = Object.values(document.paths).flatMap((item) => Object.values(item) as Operation[]);
    expect(operations.length).toBeGreaterThan(50);
    const names = new Set(operations.flatMap(({ responses }) => Object.keys(responses)));
    expect([...names].filter((name) => !/^(\d{3}|default)$/.test(name))).toEqual([]);
  });

  it('names defaults of bodies in words, because generators of clients require members with the keyword', () => {
    const { schemas = {} } = document.components ?? {};
    const members = Object.values(schemas).flatMap((schema) =>
      'properties' in schema ? Object.values(schema.properties ?? {}) : [],
    );
    expect(members.filter((member) => Object.hasOwn(member, 'default'))).toEqual([]);
    expect(members).toContainEqual(
      expect.objectContaining({ description: 'Requests in a minute. Default: `10`.' }),
    );
  });

  it('has only patterns that are valid in other languages', () => {
    const patterns = [...JSON.stringify(document).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)];
    expect(patterns.length).toBeGreaterThan(3);
    for (const [, pattern = ''] of patterns) {
      const text = JSON.parse(pattern) as string;
      expect(text).not.toMatch(/\\[pPuk]|\(\?[<!=]/);
      expect(() => [new RegExp(text), new RegExp(text, 'u')]).not.toThrow();
    }
  });
});
