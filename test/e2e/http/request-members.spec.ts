import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { aTeam, type TestTeam } from '../../support/app/a-team.js';
import { aBillingApp, type BillingApp } from '../../support/billing/billing-app.js';
import { fieldErrorsOf, expectProblem } from '../../support/http/problems.js';

let app: BillingApp;
beforeAll(async () => {
  app = await aBillingApp({ SIGNUP: 'open', SIGNUP_PER_HOUR: '1000' });
});
afterAll(() => app.stop());

/** Members that no request may set. */
const FORBIDDEN = ['role', 'tier', 'base_tier', 'team_id', 'used', 'id', 'created_at', 'user_id', 'is_admin'];
const METHODS = ['post', 'patch', 'put'] as const;

describe('mass assignment', () => {
  let key: string;
  let routes: { method: 'post'; path: string; takes: Set<string> }[];

  beforeAll(async () => {
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

  it('an unknown member is 400 with a pointer, in every route with a body', async () => {
    expect(routes.length).toBeGreaterThanOrEqual(8);
    for (const { method, path, takes } of routes) {
      for (const name of FORBIDDEN.filter((member) => !takes.has(member))) {
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

const NUL = 'a\u0000b';

/** Every text member that is not an enumeration, with the other members of its route. */
const MEMBERS: [method: 'post' | 'patch', path: string, member: string, body: object][] = [
  ['post', '/v1/blocklist', 'domain', {}],
  ['post', '/v1/blocklist', 'reason', { domain: 'a.example' }],
  ['post', '/v1/admin/disposable', 'domain', { verdict: 'disposable' }],
  ['post', '/v1/admin/disposable', 'note', { domain: 'a.example', verdict: 'disposable' }],
  ['post', '/v1/keys', 'name', {}],
  ['post', '/v1/keys', 'expires_at', { name: 'k' }],
  ['post', '/v1/webhooks', 'url', {}],
  ['post', '/v1/webhooks', 'description', { url: 'https://receiver.example/' }],
  ['patch', '/v1/webhooks/{webhook}', 'url', {}],
  ['patch', '/v1/webhooks/{webhook}', 'description', {}],
  ['patch', '/v1/team', 'name', {}],
  ['post', '/v1/team/invites', 'email', {}],
  ['post', '/v1/billing/subscribe', 'tier', {}],
  ['post', '/v1/billing/subscribe', 'success_url', { tier: 'growth' }],
  ['post', '/v1/billing/subscribe', 'cancel_url', { tier: 'growth' }],
  ['post', '/v1/billing/portal', 'return_url', {}],
  ['post', '/signup', 'email', { team_name: 'T' }],
  ['post', '/signup', 'team_name', { email: 'jane@signup.example' }],
];

describe('NUL, which PostgreSQL cannot store', () => {
  let team: TestTeam;
  let webhook: string;

  beforeAll(async () => {
    team = await aTeam(app);
    const made = await app.post('/v1/webhooks', team.owner).send({ url: 'https://receiver.example/' });
    webhook = (made.body as { id: string }).id;
  });

  const send = (method: 'post' | 'patch', path: string, body: object) =>
    app
      .request(method, path.replace('{webhook}', webhook), path.startsWith('/v1/') ? team.owner : undefined)
      .send(body);

  it.each(MEMBERS)('in %s %s is 400 at /%s', async (method, path, member, rest) => {
    const values = [NUL, '\u0000'];
    if (/url$/.test(member)) values.push(`https://localhost:3000/${NUL}`, `https://receiver.example/${NUL}`);
    if (/email$/.test(member)) values.push(`jane${NUL}@a.example`, 'jane@a.example\u0000');
    if (member === 'domain') values.push('a.example\u0000', `${NUL}.example`);
    for (const value of values) {
      const problem = expectProblem(
        await send(method, path, { ...rest, [member]: value }),
        400,
        'invalid_request',
      );
      expect(fieldErrorsOf(problem).map((text) => text.split(' ')[0])).toEqual([`/${member}`]);
    }
  });

  it.each([
    ['/v1/invites/accept', { token: NUL }],
    ['/v1/team/invites/accept', { token: NUL }],
    ['/signup', { email: 'jane@signup.example', invite_token: NUL }],
  ])('in a token at %s is an invalid token', async (path, body) => {
    expectProblem(await send('post', path, body), 404, 'invalid_invite');
  });

  it('in a member’s name is an unknown member', async () => {
    const problem = expectProblem(await send('patch', '/v1/team', { [NUL]: 1 }), 400, 'invalid_request');
    expect(fieldErrorsOf(problem)).toContain(`/${NUL} unknown_member`);
  });

  it('in an event of the payment provider is an invalid event, or one without a customer', async () => {
    const { customer } = await app.aCustomer((await app.anAccount('free')).liveKey);
    const nobody = app.stripe.event('invoice.paid', { customer: `${customer}\u0000` });
    const unnamed = JSON.stringify({
      id: 'evt_\u0000',
      type: 'invoice.paid',
      data: { object: { customer } },
    });
    expect([
      await app.postEvent(nobody),
      await app.postEvent({ body: unnamed, signature: app.stripe.sign(unnamed) }),
    ]).toEqual([200, 400]);
  });

  it.each([
    ['text/csv', `email,x\njane@a.example,${NUL}\n`],
    ['application/x-ndjson', `${JSON.stringify({ email: `jane${NUL}@a.example`, ref: NUL })}\n`],
    ['application/json', JSON.stringify({ emails: [{ email: NUL, ref: NUL }] })],
  ])('in a list as %s is accepted as data', async (type, list) => {
    const answer = await app.post('/v1/verify/bulk', team.owner).type(type).send(list);
    expect([answer.status, answer.text]).toEqual([202, expect.any(String)]);
  });

  it('in a query matches nothing', async () => {
    const get = async (path: string) => (await app.get(path, team.owner)).status;
    expect(await get('/v1/verify?email=a%00b@a.example')).toBe(200);
    expect(await get('/v1/keys?cursor=%00')).toBe(400);
    expect(await get('/v1/webhooks/%00')).toBe(404);
    expect((await app.post('/v1/verify/bulk?name=%00', team.owner).send({ emails: ['a'] })).status).toBe(400);
  });
});

/** The `detail` of an error must be sufficient to correct the request. */
describe('an error says what to send instead', () => {
  let owner: NewAccount;
  let starter: NewAccount;
  beforeAll(async () => {
    [owner, starter] = await Promise.all([app.anAccount(), app.anAccount('starter')]);
  });

  const detailOf = async (path: string, body: object, key = owner.liveKey) =>
    ((await app.post(path, key).send(body)).body as { detail: string }).detail;

  it.each([
    ['/v1/keys', { name: 'a', mode: 'prod' }, '/mode: Send live or test.'],
    ['/v1/keys', { name: 'a', service: 'yes' }, '/service: Send true or false.'],
    ['/v1/keys', { name: 'a', team_id: 7 }, '/team_id: This member is not known. Omit it.'],
    [
      '/v1/keys/key_1/rotate',
      { grace_seconds: 1e9 },
      '/grace_seconds: Send a whole number of seconds from 0 to 2592000 (30 days).',
    ],
    [
      '/v1/admin/disposable',
      { domain: 'example.com', verdict: 'yes' },
      '/verdict: Send one of disposable, not_disposable.',
    ],
    [
      '/v1/verify/bulk',
      { addresses: ['jane@example.com'] },
      '/addresses: This member is not known. Send emails, and optionally name, refresh, max_age, notify and unique.',
    ],
    [
      '/v1/verify/bulk',
      { emails: [{ address: 'jane@example.com' }] },
      '/emails/0/address: This member is not known. An entry has email and optionally ref.',
    ],
  ])('%s %j: %s', async (path, body, detail) => {
    expect(await detailOf(path, body)).toBe(detail);
  });

  it('for a list that is too long, or not in UTF-8', async () => {
    const emails = Array.from({ length: 1_001 }, (_, n) => `jane${n}@example.com`);
    expect(await detailOf('/v1/verify/bulk', { emails }, starter.liveKey)).toBe(
      'A job may have at most 1000 rows. Split the list.',
    );
    const latin1 = app.post('/v1/verify/bulk?encoding=utf-8', owner.testKey).set('Content-Type', 'text/csv');
    expect((await latin1.send(Buffer.from('email\nren\xe9@example.com\n', 'latin1'))).body).toMatchObject({
      detail: 'The list is not UTF-8. Convert it to UTF-8 and send it again.',
    });
  });
});
