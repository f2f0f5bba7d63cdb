import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { OpenAPIObject } from '@nestjs/swagger';
import { anApp, type TestApp } from '../../support/app/app.js';

/** Members that no request may set. */
const FORBIDDEN = ['role', 'tier', 'base_tier', 'team_id', 'used', 'id', 'created_at', 'user_id', 'is_admin'];
const METHODS = ['post', 'patch', 'put'] as const;

describe('mass assignment', () => {
  let app: TestApp;
  let key: string;
  let routes: { method: 'post'; path: string; takes: Set<string> }[];

  beforeAll(async () => {
    const selling = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' };
    app = await anApp({ SIGNUP: 'open', SIGNUP_PER_HOUR: '1000', ...selling });
    key = (await app.anAccount()).liveKey;
    const document = (await app.get('/openapi.json')).body as OpenAPIObject;
    routes = Object.entries(document.paths).flatMap(([path, item]) =>
      METHODS.flatMap((method) => {
        const operation = item[method];
        // The events of providers are signed, so their members are not restricted.
        const isSigned = ['/webhooks/stripe', '/inbound/outcomes/{token}'].includes(path);
        if (operation === undefined || isSigned) return [];
        const body = operation.requestBody as
          { content: Record<string, { schema: { properties?: object; $ref?: string } }> } | undefined;
        const schema = body?.content['application/json']?.schema;
        const name = schema?.$ref?.split('/').at(-1) ?? '';
        const resolved = (document.components?.schemas?.[name] ?? schema ?? {}) as { properties?: object };
        return [{ method: method as 'post', path, takes: new Set(Object.keys(resolved.properties ?? {})) }];
      }),
    );
  });
  afterAll(() => app.stop());

  it('an unknown member is 400 with a pointer, in every route with a body', async () => {
    expect(routes.length).toBeGreaterThanOrEqual(8);
    for (const { method, path, takes } of routes) {
      for (const name of FORBIDDEN.filter((each) => !takes.has(each))) {
        const answer = await app
          .request(method, path.replaceAll(/\{\w+\}/g, 'x'), key)
          .send({ [name]: 'owner' });
        const pointers = ((answer.body as { errors?: { pointer: string }[] }).errors ?? []).map(
          ({ pointer }) => pointer,
        );
        expect([method, path, name, answer.status, pointers.includes(`/${name}`)]).toEqual([
          method,
          path,
          name,
          400,
          true,
        ]);
      }
    }
  });

  it('__proto__, constructor and prototype are refused in every body', async () => {
    for (const { method, path } of routes) {
      for (const name of ['__proto__', 'constructor', 'prototype']) {
        const answer = await app
          .request(method, path.replaceAll(/\{\w+\}/g, 'x'), key)
          .set('Content-Type', 'application/json')
          .send(`{"${name}":{"role":"owner"}}`);
        expect([method, path, name, answer.status]).toEqual([method, path, name, 400]);
      }
    }
  });
});
