import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { OpenAPIObject } from '@nestjs/swagger';
import { SCOPES } from '../../src/kernel/principal.js';
import { LocationInterceptor } from '../../src/platform/http/openapi/operation.js';
import { NextPageInterceptor } from '../../src/platform/http/paging/cursor.js';
import { ONLY_ALL } from '../support/architecture/full-key-routes.js';
import { BY_SCOPE } from '../support/architecture/routes-by-scope.js';
import { anApp, type TestApp } from '../support/app/app.js';
import { accessLine } from '../support/openapi/access-line.js';
import { routesOf } from '../support/openapi/routes.js';

/** The access rules of all routes. A changed line is a security decision. */
const ACCESS_TABLE = `
GET    /.well-known/jwks.json             public
GET    /.well-known/oauth-authorization-server public
GET    /.well-known/oauth-authorization-server/mcp public
GET    /.well-known/oauth-protected-resource public
GET    /.well-known/oauth-protected-resource/mcp public
GET    /.well-known/openid-configuration  public
GET    /.well-known/openid-configuration/mcp public
POST   /inbound/outcomes/:token           public
POST   /invites/read                      public
GET    /livez                             public
POST   /mcp                               member         live, test
GET    /mcp/.well-known/oauth-authorization-server public
GET    /mcp/.well-known/oauth-protected-resource public
GET    /mcp/.well-known/openid-configuration public
GET    /metrics                           public
GET    /oauth/authorize                   public
GET    /oauth/authorize/:id               public
POST   /oauth/consent/:id                 member, a user live, test
GET    /oauth/consent/:id                 public
GET    /oauth/consent/:id/request         public
GET    /oauth/jwks                        public
POST   /oauth/register                    public
POST   /oauth/revoke                      public
POST   /oauth/token                       public
GET    /readyz                            public
GET    /signin                            public
POST   /signin                            public
POST   /signin/confirm                    public
GET    /signin/oidc                       public
GET    /signin/oidc/callback              public
GET    /signup                            public
POST   /signup                            public
POST   /signup/confirm                    public
POST   /v0/check_email                    member         live, test verify, costs 1
GET    /v1/accuracy                       member         live, test
GET    /v1/admin/disposable               owner          live, test
POST   /v1/admin/disposable               owner          live
DELETE /v1/admin/disposable/:domain       owner          live
GET    /v1/admin/disposable/candidates    owner          live, test
POST   /v1/admin/disposable/candidates/:id/merge owner          live
POST   /v1/admin/disposable/candidates/:id/reject owner          live
GET    /v1/admin/disposable/pending       owner          live, test
GET    /v1/admin/system                   owner          live, test
GET    /v1/admin/system/checks            owner          live, test
GET    /v1/admin/system/examination       owner          live, test
GET    /v1/audit                          admin          live, test
GET    /v1/billing/invoices               admin          live, test
GET    /v1/billing/plans                  admin          live, test
POST   /v1/billing/portal                 admin          live
POST   /v1/billing/subscribe              admin          live
GET    /v1/blocklist                      member         live, test
POST   /v1/blocklist                      member         live
DELETE /v1/blocklist/:domain              member         live
POST   /v1/bulk                           member         live, test bulk, costs 1
GET    /v1/bulk-jobs                      member         live, test
DELETE /v1/bulk-jobs/:id                  member         live, test
GET    /v1/bulk-jobs/:id                  member         live, test
PATCH  /v1/bulk-jobs/:id                  member         live, test
GET    /v1/bulk-jobs/:id/breakdown        member         live, test
POST   /v1/bulk-jobs/:id/cancel           member         live, test
GET    /v1/bulk-jobs/:id/events           member         live, test
POST   /v1/bulk-jobs/:id/finish           member         live, test
GET    /v1/bulk-jobs/:id/results          member         live, test
POST   /v1/bulk-jobs/:id/start            member         live, test bulk
GET    /v1/bulk/:job_id                   member         live, test
GET    /v1/bulk/:job_id/results           member         live, test
POST   /v1/check_email                    member         live, test verify, costs 1
GET    /v1/domains/:domain                member         live, test domains
GET    /v1/failed_requests                member         live, test
POST   /v1/invites/accept                 member, a user live
GET    /v1/keys                           member         live, test
POST   /v1/keys                           member, a user live
GET    /v1/keys/:id                       member         live, test
DELETE /v1/keys/:id                       member         live
PATCH  /v1/keys/:id                       member         live
POST   /v1/keys/:id/rotate                member         live
GET    /v1/me                             member         live, test
GET    /v1/outcome-sources                member         live, test
POST   /v1/outcome-sources                member         live
DELETE /v1/outcome-sources/:id            member         live
GET    /v1/outcomes                       member         live, test
DELETE /v1/outcomes                       member         live
POST   /v1/outcomes                       member         live
PUT    /v1/policy                         admin          live
GET    /v1/policy                         member         live, test
POST   /v1/policy/preview                 member         live
POST   /v1/proofs/confirm                 member         live, test
POST   /v1/replies/explain                member         live, test
POST   /v1/schedules                      member         live       schedules
GET    /v1/schedules                      member         live, test
GET    /v1/schedules/:id                  member         live, test
DELETE /v1/schedules/:id                  member         live
PATCH  /v1/schedules/:id                  member         live
POST   /v1/schedules/:id/check            member         live       schedules
POST   /v1/schedules/:id/run              member         live       schedules
GET    /v1/schedules/:id/runs             member         live, test
POST   /v1/schedules/:id/runs/:run_id/confirm member         live       schedules
POST   /v1/schedules/:id/runs/:run_id/discard member         live
POST   /v1/schedules/check                member         live       schedules
PATCH  /v1/team                           admin          live
GET    /v1/team                           member         live, test
DELETE /v1/team                           owner          live
GET    /v1/team/history                   member         live, test
GET    /v1/team/invites                   admin          live, test
POST   /v1/team/invites                   admin, a user  live
GET    /v1/team/invites/:id               admin          live, test
DELETE /v1/team/invites/:id               admin          live
POST   /v1/team/invites/accept            member, a user live
DELETE /v1/team/members/:id               member         live
PATCH  /v1/team/members/:id               owner          live
GET    /v1/usage                          member         live, test
GET    /v1/usage/history                  member         live, test
GET    /v1/verify                         member         live, test, pub verify (refresh when requested), costs 1
POST   /v1/verify                         member         live, test, pub verify (refresh when requested), costs 1
POST   /v1/verify/bulk                    member         live, test bulk (refresh when requested), costs 1, unless hold
GET    /v1/webhooks                       member         live, test
POST   /v1/webhooks                       member         live, test
DELETE /v1/webhooks/:id                   member         live, test
GET    /v1/webhooks/:id                   member         live, test
PATCH  /v1/webhooks/:id                   member         live, test
GET    /v1/webhooks/:id/deliveries        member         live, test
GET    /v1/webhooks/:id/deliveries/:delivery_id member         live, test
POST   /v1/webhooks/:id/deliveries/:delivery_id/retry member         live, test
POST   /v1/webhooks/:id/retry-failed      member         live, test
POST   /v1/webhooks/:id/rotate-secret     member         live, test
POST   /v1/webhooks/:id/test              member         live, test
POST   /webhooks/stripe                   public
`;

/** Those that a key which is limited to networks may not call, whatever its scopes. */
const CREDENTIALS = [
  ...Object.values(ONLY_ALL)[0]!,
  'POST /v1/outcome-sources',
  'POST /v1/webhooks',
  'PATCH /v1/webhooks/:id',
  'POST /v1/webhooks/:id/rotate-secret',
  'POST /v1/schedules',
  'PATCH /v1/schedules/:id',
  'POST /v1/schedules/check',
  'POST /v1/schedules/:id/check',
];

let app: TestApp;
beforeAll(async () => {
  app = await anApp();
});
afterAll(() => app.stop());

it('the access rules of all routes match the table', () => {
  const lines = routesOf(app).map(accessLine);
  expect(`\n${lines.sort(byPath).join('\n')}\n`).toBe(ACCESS_TABLE);
});

it('every route has scopes that are sufficient for it, or a reason why only a key without limits may call it', () => {
  const found: Record<string, string[]> = {};
  for (const { method, path, policy } of routesOf(app)) {
    if (policy.public) continue;
    const route = `${method} ${path}`;
    const reason = Object.keys(ONLY_ALL).find((name) => ONLY_ALL[name]?.includes(route));
    const scopes = policy.scopes.length === SCOPES.length ? 'any' : policy.scopes.join(' or ');
    (found[scopes || (reason ?? 'no scope and no reason')] ??= []).push(route);
    expect([route, policy.notFromLimitedNetworks]).toEqual([route, CREDENTIALS.includes(route)]);
  }
  const sorted = (table: Record<string, readonly string[]>) =>
    Object.fromEntries(Object.entries(table).map(([name, routes]) => [name, [...routes].sort()]));
  expect(sorted(found)).toEqual(sorted({ ...BY_SCOPE, ...ONLY_ALL }));
});

const byPath = (a: string, b: string) => (a.slice(7) + a < b.slice(7) + b ? -1 : 1);

it('every route that is not public returns 401 without a key, and that of assistants says who issues tokens', async () => {
  for (const { method, path, policy } of routesOf(app).filter((route) => !route.policy.public)) {
    const answer = await fetch(app.url + path.replaceAll(/:\w+/g, 'some-id'), { method });
    const challenge = answer.headers.get('www-authenticate');
    const { resourceMetadata: at } = policy;
    const metadata = at && `resource_metadata="http://localhost:0${at}", `;
    expect([path, answer.status, challenge]).toEqual([path, 401, `Bearer ${metadata ?? ''}realm="rcpt"`]);
  }
});

/** Those that take a token or nothing. A page of another origin may call the others with a publishable key only. */
const ANY_ORIGIN = [
  'GET /.well-known/oauth-authorization-server',
  'GET /.well-known/oauth-authorization-server/mcp',
  'GET /.well-known/oauth-protected-resource',
  'GET /.well-known/oauth-protected-resource/mcp',
  'GET /.well-known/openid-configuration',
  'GET /.well-known/openid-configuration/mcp',
  'GET /mcp/.well-known/oauth-authorization-server',
  'GET /mcp/.well-known/oauth-protected-resource',
  'GET /mcp/.well-known/openid-configuration',
  'GET /oauth/jwks',
  'POST /mcp',
  'POST /oauth/register',
  'POST /oauth/revoke',
  'POST /oauth/token',
];

it('pages of every origin may call the endpoints of assistants, and no route that reads a cookie', () => {
  const open = routesOf(app).filter(({ policy }) => policy.anyOrigin);
  expect(open.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(ANY_ORIGIN);
});

/** Routes whose response names the path of the object that they create. */
const CREATING = ['/v1/keys', '/v1/keys/:id/rotate', '/v1/schedules', '/v1/team/invites', '/v1/webhooks'];

it('lists link their next page, five routes name the created object, and no other has an interceptor of its own', async () => {
  const { paths } = (await app.get('/openapi.json')).body as OpenAPIObject;
  for (const { method, path, interceptors } of routesOf(app)) {
    const operation = method === 'GET' ? paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.get : undefined;
    const isList = (operation?.parameters ?? []).some(
      (parameter) => 'name' in parameter && parameter.name === 'cursor',
    );
    const isCreating = method === 'POST' && CREATING.includes(path);
    const kind = isList ? NextPageInterceptor : isCreating ? LocationInterceptor : null;
    const own = kind === null ? [] : [expect.any(kind)];
    expect([method, path, interceptors]).toEqual([method, path, own]);
  }
});

it('OPTIONS names the methods of a path in Allow, all of them and no other', async () => {
  const all = routesOf(app);
  for (const path of new Set(all.map((route) => route.path))) {
    const methods = all.filter((route) => route.path === path).map(({ method }) => method);
    const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].sort().join(', ');
    const answer = await fetch(app.url + path.replaceAll(/:\w+/g, 'some-id'), { method: 'OPTIONS' });
    expect([path, answer.status, answer.headers.get('allow')]).toEqual([path, 405, allow]);
  }
});
