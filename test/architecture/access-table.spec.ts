import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { RequestMethod, type Type } from '@nestjs/common';
import { INTERCEPTORS_METADATA, METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import { routePolicy } from '../../src/platform/http/route-policy.js';
import { IdempotencyInterceptor } from '../../src/platform/http/idempotency.interceptor.js';
import { anApp, type TestApp } from '../support/app.js';

/** The security model on one page: who may call what. A line that changes here is a decision. */
const ACCESS_TABLE = `
GET    /accept-invite                     public
GET    /livez                             public
GET    /metrics                           public
GET    /readyz                            public
POST   /signup                            public
GET    /signup/confirm                    public
POST   /signup/confirm                    public
GET    /v1/admin/disposable               owner          live, test
POST   /v1/admin/disposable               owner          live
DELETE /v1/admin/disposable/:domain       owner          live
GET    /v1/admin/disposable/pending       owner          live, test
GET    /v1/billing/invoices               admin          live, test
POST   /v1/billing/portal                 admin          live
POST   /v1/billing/subscribe              admin          live
GET    /v1/blocklist                      member         live, test
POST   /v1/blocklist                      member         live
DELETE /v1/blocklist/:domain              member         live
GET    /v1/bulk-jobs                      member         live, test
DELETE /v1/bulk-jobs/:id                  member         live, test
GET    /v1/bulk-jobs/:id                  member         live, test
POST   /v1/bulk-jobs/:id/cancel           member         live, test
GET    /v1/bulk-jobs/:id/results          member         live, test
POST   /v1/invites/accept                 member, a user live
GET    /v1/keys                           member         live, test
POST   /v1/keys                           member, a user live
DELETE /v1/keys/:id                       member         live
POST   /v1/keys/:id/rotate                member         live
GET    /v1/me                             member         live, test
PATCH  /v1/team                           admin          live
GET    /v1/team                           member         live, test
DELETE /v1/team                           owner          live
GET    /v1/team/history                   member         live, test
GET    /v1/team/invites                   admin          live, test
POST   /v1/team/invites                   admin, a user  live
DELETE /v1/team/invites/:id               admin          live
POST   /v1/team/invites/accept            member, a user live
DELETE /v1/team/members/:id               member         live
PATCH  /v1/team/members/:id               owner          live
GET    /v1/usage                          member         live, test
GET    /v1/usage/history                  member         live, test
GET    /v1/verify                         member         live, test verify (refresh when asked), costs 1
POST   /v1/verify/bulk                    member         live, test bulk (refresh when asked), costs 1
GET    /v1/webhooks                       member         live, test
POST   /v1/webhooks                       member         live, test
DELETE /v1/webhooks/:id                   member         live, test
GET    /v1/webhooks/:id                   member         live, test
PATCH  /v1/webhooks/:id                   member         live, test
GET    /v1/webhooks/:id/deliveries        member         live, test
POST   /v1/webhooks/:id/deliveries/:delivery_id/retry member         live, test
POST   /v1/webhooks/:id/rotate-secret     member         live, test
POST   /v1/webhooks/:id/test              member         live, test
POST   /webhooks/stripe                   public
`;

let app: TestApp;
beforeAll(async () => {
  app = await anApp();
});
afterAll(() => app.stop());

it('every route says who may call it, and this is all of them', () => {
  const lines = routes(app).map(({ method, path, words }) => {
    const route = `${method.padEnd(6)} ${path.padEnd(34)}`;
    if (words.public) return `${route} public`;
    const role = `${words.role}${words.needsUser ? ', a user' : ''}`;
    const keys = method === 'GET' || words.testKeysToo ? 'live, test' : 'live';
    const when = words.featureWhenAsked ? ` (${words.featureWhenAsked} when asked)` : '';
    const cost = words.cost > 0 ? `${words.feature ?? ''}${when}, costs ${words.cost}` : '';
    return `${route} ${role.padEnd(14)} ${keys.padEnd(10)} ${cost}`.trimEnd();
  });
  expect(`\n${lines.sort(byPath).join('\n')}\n`).toBe(ACCESS_TABLE);
});

const byPath = (a: string, b: string) => (a.slice(7) + a < b.slice(7) + b ? -1 : 1);

it('every route that is not public answers 401 to a stranger', async () => {
  for (const { method, path, words } of routes(app)) {
    if (words.public) continue;
    const answer = await fetch(app.url + path.replaceAll(/:\w+/g, 'some-id'), { method });
    expect([path, answer.status, answer.headers.get('www-authenticate')]).toEqual([path, 401, 'Bearer']);
  }
});

it('every POST that is not public is done once under an idempotency key, and nothing else is wrapped', () => {
  for (const { method, path, words, interceptors } of routes(app)) {
    const once = method === 'POST' && !words.public;
    expect([method, path, interceptors]).toEqual([method, path, once ? [IdempotencyInterceptor] : []]);
  }
});

function routes({ service }: TestApp) {
  const scanner = new MetadataScanner();
  const controllers = [...service.app.get(ModulesContainer).values()].flatMap((module) => [
    ...module.controllers.values(),
  ]);
  return controllers.flatMap(({ metatype }) => {
    const controller = metatype as Type;
    const prototype = controller.prototype as Record<string, () => unknown>;
    return scanner.getAllMethodNames(prototype).flatMap((name) => {
      const handler = prototype[name] as () => unknown;
      const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
      if (method === undefined) return [];
      const parts = [
        Reflect.getMetadata(PATH_METADATA, controller),
        Reflect.getMetadata(PATH_METADATA, handler),
      ] as string[];
      const path = `/${parts
        .map((part) => part.replaceAll(/^\/|\/$/g, ''))
        .filter(Boolean)
        .join('/')}`;
      const words = routePolicy({
        getHandler: () => handler,
        getClass: () => controller as never,
      });
      const interceptors = (Reflect.getMetadata(INTERCEPTORS_METADATA, handler) ?? []) as unknown[];
      return [{ method: RequestMethod[method], path, words, interceptors }];
    });
  });
}
