import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { MeResponse } from '../../../src/modules/accounts/accounts/accounts.dto.js';
import type { AuditPage } from '../../../src/modules/identity/audit/audit.dto.js';
import type { FailedRequestPage } from '../../../src/modules/identity/failed-requests/failed-requests.dto.js';
import { aTeam, type TestTeam } from '../../support/app/a-team.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { expectProblem, fieldErrorsOf } from '../../support/http/problems.js';
import { ResponseValidator } from '../../support/openapi/response-validator.js';
import { routesOf } from '../../support/openapi/routes.js';

interface Key {
  id: string;
  scopes: string[] | null;
  allowed_cidrs: string[] | null;
  key: string;
}

let app: TestApp;
let team: TestTeam;
let answers: ResponseValidator;
beforeAll(async () => {
  // The client is the one that a proxy on this machine reports.
  app = await anApp({ TRUST_PROXY: '127.0.0.1' });
  team = await aTeam(app);
  answers = await ResponseValidator.published(app);
});
afterAll(() => app.stop());

const create = (body: object, by = team.owner) => app.post('/v1/keys', by).send({ name: 'limited', ...body });
async function aKey(body: object): Promise<Key> {
  const answer = await create(body);
  expect([answer.status, answer.body]).toEqual([201, expect.anything()]);
  answers.expect('POST', '/v1/keys', answer);
  return answer.body as Key;
}

describe('the limits of a new key', () => {
  it('are none unless they are sent', async () => {
    expect(await aKey({})).toMatchObject({ scopes: ['all'], allowed_cidrs: null });
    expect(await aKey({ scopes: ['all', 'read'] })).toMatchObject({ scopes: ['all'] });
  });

  it('are shown in their usual form, in the list and in GET /v1/me too, and are not changed by a rotation', async () => {
    const allowed_cidrs = ['2001:DB8:0::/32', '::ffff:127.0.0.0/104', '127.0.0.0/8'];
    const limits = { scopes: ['verify', 'read'], allowed_cidrs: ['2001:db8::/32', '127.0.0.0/8'] };
    const { id, key } = await aKey({ scopes: ['read', 'verify'], allowed_cidrs });
    expect((await app.get(`/v1/keys/${id}`, team.member)).body).toMatchObject(limits);
    expect((await app.get('/v1/me', key)).body).toMatchObject({ key: { id, ...limits } });
    const rotated = await app.post(`/v1/keys/${id}/rotate`, team.owner).send({});
    expect([rotated.status, rotated.body]).toEqual([201, expect.objectContaining(limits)]);
    const changed = await app
      .request('patch', `/v1/keys/${id}`, team.owner)
      .send({ name: 'x', scopes: ['all'] });
    expect(fieldErrorsOf(expectProblem(changed, 400, 'invalid_request'))).toEqual(['/scopes unknown_member']);
  });

  it('are named in the audit log', async () => {
    const { id } = await aKey({ scopes: ['lists'], allowed_cidrs: ['192.0.2.0/24'] });
    const log = (await app.get('/v1/audit?limit=10', team.owner)).body as AuditPage;
    expect(log.data.find(({ subject }) => subject.id === id)).toMatchObject({
      action: 'key.created',
      changes: { scopes: ['lists'], allowed_cidrs: ['192.0.2.0/24'] },
    });
  });

  it.each([
    [{ scopes: [] }, '/scopes too_small'],
    [{ scopes: ['write'] }, '/scopes/0 invalid_value'],
    [{ scopes: ['usage'] }, '/scopes/0 invalid_value'],
    [{ scopes: ['read', 'read'] }, '/scopes invalid_value'],
    [{ scopes: 'read' }, '/scopes invalid_type'],
    [{ scopes: null }, '/scopes invalid_type'],
    [{ allowed_cidrs: [] }, '/allowed_cidrs too_small'],
    [{ allowed_cidrs: Array(21).fill('192.0.2.0/24') }, '/allowed_cidrs too_big'],
    [{ allowed_cidrs: ['192.0.2.0/24', '192.0.2.1'] }, '/allowed_cidrs/1 invalid_format'],
    [{ allowed_cidrs: ['192.0.2.1/24'] }, '/allowed_cidrs/0 invalid_format'],
    [{ allowed_cidrs: ['2001:db8::1/64'] }, '/allowed_cidrs/0 invalid_format'],
    [{ allowed_cidrs: ['fe80::%eth0/64'] }, '/allowed_cidrs/0 invalid_format'],
    [{ allowed_cidrs: [24] }, '/allowed_cidrs/0 invalid_format'],
    [
      { kind: 'publishable', allowed_origins: ['https://a.example'], scopes: ['verify'] },
      '/scopes invalid_value',
    ],
    [
      { kind: 'publishable', allowed_origins: ['https://a.example'], allowed_cidrs: ['192.0.2.0/24'] },
      '/allowed_cidrs invalid_value',
    ],
  ])('%j are 400: %s', async (body, complaint) => {
    const problem = expectProblem(await create(body), 400, 'invalid_request');
    expect(fieldErrorsOf(problem)).toEqual([complaint]);
  });

  it('say which network was meant when an address has bits after the prefix', async () => {
    const problem = expectProblem(await create({ allowed_cidrs: ['192.0.2.77/24'] }), 400, 'invalid_request');
    expect(problem.detail).toContain('Send 192.0.2.0/24');
  });
});

describe('a key with scopes', () => {
  it.each(['verify', 'lists', 'read', 'webhooks', 'outcomes'] as const)(
    '%s is 403 scope_required on every route that does not accept the scope, and on no other',
    async (scope) => {
      const { key } = await aKey({ scopes: [scope] });
      for (const { method, path, policy } of routesOf(app)) {
        if (policy.public || path === '/mcp' || path.endsWith('/events')) continue;
        const url = app.url + path.replaceAll(/:\w+/g, 'some-id');
        const answer = await fetch(url, { method, headers: { authorization: `Bearer ${key}` } });
        const { code, required_scope, error } = ((await answer.json().catch(() => ({}))) ?? {}) as Record<
          string,
          unknown
        >;
        const route = `${method} ${path}`;
        const required = `This requires a key with the scope ${[...policy.scopes, 'all'].join(' or ')}.`;
        if (policy.scopes.includes(scope)) {
          expect([route, code]).not.toEqual([route, 'scope_required']);
          expect([route, error]).not.toEqual([route, required]);
        } else if (policy.plainErrors) expect([route, answer.status, error]).toEqual([route, 403, required]);
        else
          expect([route, answer.status, code, required_scope]).toEqual([
            route,
            403,
            'scope_required',
            policy.scopes[0] ?? 'all',
          ]);
      }
    },
  );

  it('learns nothing from GET /v1/me about other members of the team', async () => {
    const limited = await app.get('/v1/me', (await aKey({ scopes: ['verify'] })).key);
    answers.expect('GET', '/v1/me', limited);
    const { user, team: own } = limited.body as MeResponse;
    expect(own.members.map(({ user_id: id }) => id)).toEqual([user?.id]);
    const whole = (await app.get('/v1/me', (await aKey({})).key)).body as MeResponse;
    expect(whole.team.members.length).toBeGreaterThan(1);
    const service = await app.get('/v1/me', (await aKey({ scopes: ['verify'], service: true })).key);
    expect((service.body as MeResponse).team.members).toEqual([]);
  });

  it('says in the challenge which scope is missing, as OAuth does', async () => {
    const { key } = await aKey({ scopes: ['lists'] });
    const answer = await app.get('/v1/verify?email=a@b.example', key);
    expect(expectProblem(answer, 403, 'scope_required')).toMatchObject({ required_scope: 'verify' });
    expect(answer.headers['www-authenticate']).toBe(
      'Bearer realm="rcpt", error="insufficient_scope", scope="verify"',
    );
  });

  it('may use the tools of its scopes over MCP, and gets the same error from the others', async () => {
    const { key } = await aKey({ scopes: ['read'] });
    const call = async (name: string, args: object) => {
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
      const answer = await app.post('/mcp', key).send(message);
      const { isError, content } = (
        answer.body as { result: { isError?: true; content: { text: string }[] } }
      ).result;
      return isError ? (JSON.parse(content[0]?.text ?? '') as Record<string, unknown>) : null;
    };
    expect(await call('get_usage', {})).toBeNull();
    expect(await call('explain_reply', { text: '550 5.1.1 unknown' })).toBeNull();
    expect(await call('get_list', { id: 'job_x' })).toMatchObject({ code: 'not_found' });
    const refused = { code: 'scope_required', required_scope: 'verify' };
    expect(await call('verify_email', { email: 'a@b.example' })).toMatchObject(refused);
    const list = { code: 'scope_required', required_scope: 'lists' };
    expect(await call('verify_list', { emails: ['a@b.example'] })).toMatchObject(list);
    const { key: webhooks } = await aKey({ scopes: ['webhooks'] });
    expectProblem(await app.post('/mcp', webhooks).send({}), 403, 'scope_required');
  });
});

it('a key with scopes gets no stored response of a request with other scopes', async () => {
  const call = (key: string) =>
    app
      .post('/mcp', key)
      .set('Idempotency-Key', '1')
      .send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_usage', arguments: {} } });
  expect((await call(team.owner)).body).toMatchObject({ result: { structuredContent: {} } });
  expect((await call(team.owner)).status).toBe(200);
  const refused = await call((await aKey({ scopes: ['verify'] })).key);
  expectProblem(refused, 422, 'idempotency_key_reused');
});

describe('a key that is limited to networks', () => {
  const from = (address: string, key: string, path = '/v1/me') =>
    app.get(path, key).set('X-Forwarded-For', address);

  it('works for clients in them, and is 403 address_not_allowed for all others, before any other check', async () => {
    const { key } = await aKey({ scopes: ['read'], allowed_cidrs: ['192.0.2.0/24', '2001:db8::/32'] });
    for (const address of ['192.0.2.1', '::ffff:192.0.2.200', '2001:db8:ffff::1'])
      expect((await from(address, key)).status).toBe(200);
    for (const address of ['198.51.100.1', '::ffff:198.51.100.1', '2001:db9::1', '192.0.2.1, 198.51.100.1'])
      expectProblem(await from(address, key), 403, 'address_not_allowed');
    // Without the proxy's header it is the address of the socket.
    expectProblem(await app.get('/v1/me', key), 403, 'address_not_allowed');
    expectProblem(await from('198.51.100.1', key, '/v1/audit'), 403, 'address_not_allowed');
    expectProblem(await from('198.51.100.1', key, '/v1/bulk-jobs/job_x/events'), 403, 'address_not_allowed');
    expectProblem(await app.post('/mcp', key).send({}), 403, 'address_not_allowed');
    expect(app.logged()).not.toContain('198.51.100.1');
  });

  it('cannot get a credential without the limit, or send data elsewhere, whatever its scopes', async () => {
    const { id, key } = await aKey({ allowed_cidrs: ['127.0.0.0/8', '::1/128'] });
    expect((await app.get('/v1/audit', key)).status).toBe(200);
    for (const [method, path] of [
      ['post', '/v1/keys'],
      ['post', `/v1/keys/${id}/rotate`],
      ['post', '/v1/team/invites'],
      ['post', '/v1/team/invites/accept'],
      ['post', '/v1/invites/accept'],
      ['patch', `/v1/team/members/${team.members.member}`],
      ['post', '/v1/outcome-sources'],
      ['post', '/v1/webhooks'],
      ['patch', '/v1/webhooks/whk_1'],
      ['post', '/v1/webhooks/whk_1/rotate-secret'],
      ['post', '/v1/schedules'],
      ['patch', '/v1/schedules/sch_1'],
    ] as const) {
      const problem = expectProblem(await app.request(method, path, key).send({}), 403, 'scope_required');
      expect(problem).toMatchObject({ required_scope: 'all' });
    }
  });
});

it('refused requests of a limited key are among the failed requests of the team', async () => {
  // Of many in a short time some are not stored, so this is a team without others.
  const { liveKey } = await app.anAccount();
  const limits = { scopes: ['lists'], allowed_cidrs: ['127.0.0.0/8', '::1/128'] };
  const { id, key } = (await create(limits, liveKey)).body as Key;
  await app.get('/v1/usage', key);
  await app.get('/v1/me', key).set('X-Forwarded-For', '198.51.100.9');
  const { data } = (await app.get('/v1/failed_requests', liveKey)).body as FailedRequestPage;
  expect(data.map(({ key_id, route, code }) => [key_id, route, code])).toEqual([
    [id, '/v1/me', 'address_not_allowed'],
    [id, '/v1/usage', 'scope_required'],
  ]);
});
