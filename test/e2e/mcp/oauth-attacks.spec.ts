import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { MeResponse } from '../../../src/modules/accounts/accounts/accounts.dto.js';
import { aTeam, type TestTeam } from '../../support/app/a-team.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { ask } from '../../support/http/ask.js';
import { expectProblem } from '../../support/http/problems.js';
import { PUBLIC_URL, REDIRECT } from '../../support/oauth/assistant.js';
import { ConsentBrowser } from '../../support/oauth/consent-browser.js';
import { OAuthRequests, type Attempt, type Tokens } from '../../support/oauth/oauth-requests.js';

let app: TestApp;
let team: TestTeam;
let oauth: OAuthRequests;
/** Of a client that a user has allowed something. */
let connected: Attempt;
beforeAll(async () => {
  app = await anApp({ PUBLIC_URL, TRUST_PROXY: '1' });
  team = await aTeam(app);
  oauth = new OAuthRequests(app);
  connected = (await oauth.connected(team.member)).attempt;
});
afterAll(() => app.stop());

const usage = (token: string) => app.get('/v1/usage', token);
const errorOf = ({ body }: { body: unknown }) => (body as { error?: string }).error;
const visit = (url: URL) => new ConsentBrowser(app).visit(url);

describe('the request of a client', () => {
  it.each([
    ['another host', 'https://evil.example/callback'],
    ['another path', `${REDIRECT}/more`],
    ['a query', `${REDIRECT}?next=evil.example`],
    ['another scheme', REDIRECT.replace('https', 'http')],
    ['another port', REDIRECT.replace('.example', '.example:8443')],
    ['a user', REDIRECT.replace('https://', 'https://assistant.example@')],
  ])('is not sent to %s', async (_, redirect) => {
    const attempt = await oauth.attempt({ redirect_uri: redirect });
    const { url, status, text } = await visit(oauth.urlOf(attempt));
    expect([url.origin, status]).toEqual([PUBLIC_URL, 400]);
    expect(text).toContain('invalid_redirect_uri');
  });

  it('may come back to another port of a loopback address, and not to another host', async () => {
    const metadata = { redirect_uris: ['http://127.0.0.1/callback'] };
    const at = async (redirect: string) =>
      visit(oauth.urlOf(await oauth.attempt({ redirect_uri: redirect }, metadata)));
    expect((await at('http://127.0.0.1:49152/callback')).url.pathname).toBe('/console');
    expect((await at('http://localhost:49152/callback')).status).toBe(400);
    expect((await at('http://127.0.0.1:49152/other')).status).toBe(400);
  });

  it.each([
    ['http on another machine', { redirect_uris: ['http://assistant.example/callback'] }],
    ['a script', { redirect_uris: ['javascript:alert(1)'] }],
    ['no URL', { redirect_uris: ['callback'] }],
    ['too many addresses', { redirect_uris: Array.from({ length: 21 }, (_, n) => `${REDIRECT}/${n}`) }],
    ['a long name', { client_name: 'x'.repeat(101) }],
    [
      'long metadata',
      { redirect_uris: Array.from({ length: 20 }, (_, n) => `${REDIRECT}/${'x'.repeat(300)}${n}`) },
    ],
  ])('is not possible with %s', async (_, metadata) => {
    const response = await oauth.register(metadata);
    expect([response.status, errorOf(response)]).toEqual([400, expect.stringMatching(/^invalid_/)]);
  });

  describe.each([
    ['no challenge', { code_challenge: '', code_challenge_method: '' }],
    ['a plain challenge', { code_challenge_method: 'plain' }],
    ['the resource of another server', { resource: 'https://other.example/mcp' }],
    ['another resource of this server', { resource: `${PUBLIC_URL}/v1` }],
    ['an implicit token', { response_type: 'token' }],
    ['an implicit token in a form', { response_type: 'token', response_mode: 'form_post' }],
    ['no question', { prompt: 'none' }],
    ['an unknown prompt', { prompt: 'create' }],
    ['a request object', { request: 'e30.e30.' }],
    ['a long request', { request_uri: `urn:${'x'.repeat(500)}` }],
  ])('with %s', (_, changes) => {
    it('leads no browser to the address of a client that no user has allowed anything (RFC 9700 §4.11.2)', async () => {
      const { url, status, text } = await visit(oauth.urlOf(await oauth.attempt(changes)));
      expect([url.origin, status]).toEqual([PUBLIC_URL, 400]);
      expect(text).toContain('The authorization has failed');
      expect(text).not.toContain('action=');
    });

    it('is refused, where a client with a grant is told so', async () => {
      const { url, text } = await visit(
        oauth.urlOf({ ...connected, parameters: { ...connected.parameters, ...changes } }),
      );
      const answer = new URLSearchParams(url.search || url.hash.slice(1));
      const told = text === '' ? `${url.origin}${url.pathname}` : text;
      expect(told).toContain(REDIRECT);
      if (text === '') expect([answer.has('error'), answer.get('iss')]).toEqual([true, PUBLIC_URL]);
    });
  });

  it('leads no browser to a client whose grant was revoked', async () => {
    const { attempt, tokens } = await oauth.connected(team.member);
    const none = oauth.urlOf({ ...attempt, parameters: { ...attempt.parameters, prompt: 'none' } });
    expect((await visit(none)).url.origin).toBe(new URL(REDIRECT).origin);
    const { key } = (await app.get('/v1/me', tokens.access_token)).body as MeResponse;
    expect((await app.delete(`/v1/keys/${key.id}`, team.owner)).status).toBe(200);
    expect((await visit(none)).url.origin).toBe(PUBLIC_URL);
  });

  it('is refused for a client that nobody knows, also with a state that no database can store', async () => {
    const { text, status } = await visit(oauth.urlOf(await oauth.attempt({ client_id: 'nobody' })));
    expect([status, text]).toEqual([400, expect.stringContaining('invalid_client')]);
    const odd = await visit(oauth.urlOf(await oauth.attempt({ state: '\0\ud800<script>' })));
    expect(odd.url.pathname).toBe('/console');
  });

  it('states the issuer, so that a client can tell this server from another (RFC 9207)', async () => {
    const attempt = await oauth.attempt();
    const browser = new ConsentBrowser(app);
    const id = await browser.open(oauth.urlOf(attempt));
    const denied = await browser.goOn(await browser.answer(id, team.member, { allow: false }));
    expect(Object.fromEntries(denied.searchParams)).toMatchObject({
      ...{ error: 'access_denied', iss: PUBLIC_URL, state: 'a-state' },
    });
  });
});

it('a client that names no scope, or only those of other servers, is asked about with all', async () => {
  const requests: Record<string, string>[] = [
    { scope: '' },
    { scope: 'openid offline_access', prompt: 'consent' },
    { prompt: 'login consent' },
  ];
  for (const changes of requests) {
    const attempt = await oauth.attempt(changes);
    const code = await oauth.allowed(attempt, team.member);
    const { body } = (await oauth.exchange(attempt, code)) as { body: Tokens };
    expect([changes, body.scope]).toEqual([changes, 'verify lists usage']);
  }
});

describe('the answer of a user', () => {
  it('is accepted only from the browser in which the request began', async () => {
    const victim = new ConsentBrowser(app);
    const id = await new ConsentBrowser(app).open(oauth.urlOf(await oauth.attempt()));
    expect((await victim.answer(id, team.member, { allow: true })).status).toBe(404);
    const own = await victim.open(oauth.urlOf(await oauth.attempt()));
    expect((await victim.answer(id, team.member, { allow: true })).status).toBe(404);
    expect((await victim.answer(own, team.member, { allow: true })).status).toBe(200);
  });

  it('is accepted once, also if two are sent at the same time', async () => {
    const browser = new ConsentBrowser(app);
    const id = await browser.open(oauth.urlOf(await oauth.attempt()));
    const answer = () => browser.answer(id, team.member, { allow: true });
    const statuses = (await Promise.all([answer(), answer(), answer()])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 404, 404]);
    expect((await answer()).status).toBe(404);
  });

  it('needs the key of a user: none, a service key, and a limited key are refused', async () => {
    const browser = new ConsentBrowser(app);
    const id = await browser.open(oauth.urlOf(await oauth.attempt()));
    const aKey = async (limits: object) =>
      (await app.post('/v1/keys', team.owner).send({ name: 'k', ...limits })).body as { key: string };
    const { key: scoped } = await aKey({ scopes: ['verify', 'lists', 'read'] });
    const { key: ofNetwork } = await aKey({ allowed_cidrs: ['127.0.0.0/8'] });
    const codes = [];
    for (const key of [null, team.service, scoped, ofNetwork]) {
      const response = await browser.answer(id, key, { allow: true });
      codes.push(((await response.json()) as { code: string }).code);
    }
    expect(codes).toEqual(['missing_credential', 'no_user', 'scope_required', 'scope_required']);
  });

  it('of a page of another origin is refused, and no page can frame the question', async () => {
    const browser = new ConsentBrowser(app);
    const id = await browser.open(oauth.urlOf(await oauth.attempt()));
    const response = await app
      .post(`/oauth/consent/${id}`, team.member)
      .set('Origin', 'https://evil.example')
      .send({ allow: true });
    expectProblem(response, 403, 'origin_not_allowed');
    for (const path of ['/console', `/oauth/consent/${id}`]) {
      const { headers } = await ask(app, path);
      expect(headers['content-security-policy']).toMatch(/frame-ancestors '(none|self)'/);
    }
    expect((await ask(app, '/console')).headers['content-security-policy']).toContain(
      "frame-ancestors 'none'",
    );
  });

  it('with a test key allows only test mode', async () => {
    const browser = new ConsentBrowser(app);
    const id = await browser.open(oauth.urlOf(await oauth.attempt()));
    const live = await browser.answer(id, team.test, { allow: true, mode: 'live' });
    expect([live.status, await live.json()]).toEqual([
      403,
      expect.objectContaining({ code: 'live_key_required' }),
    ]);
    const answer = await browser.allow(id, team.test, { mode: 'test' });
    expect(answer.searchParams.get('code')).toEqual(expect.any(String));
  });

  it('is stored whatever the name of the client contains', async () => {
    const attempt = await oauth.attempt({}, { client_name: 'Assis\0tant \u202Eevil\ud800' });
    const code = await oauth.allowed(attempt, team.owner);
    const { body, status } = (await oauth.exchange(attempt, code)) as { body: Tokens; status: number };
    expect([status, (await usage(body.access_token)).status]).toEqual([200, 200]);
    const { key } = (await app.get('/v1/me', body.access_token)).body as MeResponse;
    expect([key.name, key.client?.name]).toEqual(Array(2).fill('Assis tant  evil'));
  });

  it('gives no more than the client has asked for, and than the user allows', async () => {
    const attempt = await oauth.attempt({ scope: 'usage openid admin' });
    const code = await oauth.allowed(attempt, team.member, { scopes: ['verify', 'usage'] });
    const { body } = (await oauth.exchange(attempt, code)) as { body: Tokens };
    expect(body.scope).toBe('usage');
    expect((await usage(body.access_token)).status).toBe(200);
    expectProblem(await app.get('/v1/verify?email=a@b.example', body.access_token), 403, 'scope_required');
    const wider = await oauth.refresh(attempt, body.refresh_token, { scope: 'usage verify' });
    expect([wider.status, errorOf(wider)]).toEqual([400, 'invalid_scope']);
    const browser = new ConsentBrowser(app);
    const id = await browser.open(oauth.urlOf(await oauth.attempt()));
    expect((await browser.answer(id, team.member, { allow: true, scopes: [] })).status).toBe(400);
    expect((await browser.answer(id, team.member, { allow: true, scopes: ['all'] })).status).toBe(400);
  });

  it('of a member lets a client do nothing that only an admin may do, nor what the client was not allowed', async () => {
    const { tokens } = await oauth.connected(team.member);
    for (const path of [
      '/v1/audit',
      '/v1/keys',
      '/v1/team',
      '/v1/team/invites',
      '/v1/webhooks',
      '/v1/outcomes',
    ])
      expectProblem(await app.get(path, tokens.access_token), 403, 'scope_required');
    const me = (await app.get('/v1/me', tokens.access_token)).body as MeResponse;
    expect(me.team.members.map(({ user_id: id }) => id)).toEqual([me.user?.id]);
    const created = await app.post('/v1/keys', tokens.access_token).send({ name: 'more' });
    expectProblem(created, 403, 'scope_required');
    const browser = new ConsentBrowser(app);
    const id = await browser.open(oauth.urlOf(await oauth.attempt()));
    expect((await browser.answer(id, tokens.access_token, { allow: true })).status).toBe(403);
  });
});

describe('a code', () => {
  it('that is sent twice ends the grant, also at the same time', async () => {
    for (const together of [false, true]) {
      const attempt = await oauth.attempt();
      const code = await oauth.allowed(attempt, team.member);
      const send = () => oauth.exchange(attempt, code).then((response) => response);
      const responses = together ? await Promise.all([send(), send()]) : [await send(), await send()];
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 400]);
      const tokens = responses.find(({ status }) => status === 200)?.body as Tokens;
      expect((await usage(tokens.access_token)).status).toBe(401);
      expect(errorOf(await oauth.refresh(attempt, tokens.refresh_token))).toBe('invalid_grant');
    }
  });

  it('is worth nothing to another client, with another verifier, address or resource', async () => {
    const attempt = await oauth.attempt();
    const code = await oauth.allowed(attempt, team.member);
    const other = await oauth.attempt();
    const wrong: Record<string, string>[] = [
      { client_id: other.clientId },
      { code_verifier: other.verifier },
      { redirect_uri: `${REDIRECT}/other` },
      { code: `${code.slice(0, -1)}${code.endsWith('A') ? 'B' : 'A'}` },
    ];
    for (const changes of wrong)
      expect([changes, errorOf(await oauth.exchange(attempt, code, changes))]).toEqual([
        changes,
        'invalid_grant',
      ]);
    const elsewhere = await oauth.exchange(attempt, code, { resource: 'https://other.example/mcp' });
    expect(errorOf(elsewhere)).toBe('invalid_target');
  });
});

describe('a refresh token', () => {
  it('is worth nothing to another client', async () => {
    const { attempt, tokens } = await oauth.connected(team.member);
    const other = await oauth.attempt();
    expect(errorOf(await oauth.refresh(other, tokens.refresh_token))).toBe('invalid_grant');
    const revoked = await app
      .post('/oauth/revoke')
      .type('form')
      .send({ client_id: other.clientId, token: tokens.refresh_token });
    expect(revoked.status).toBe(200);
    expect((await oauth.refresh(attempt, tokens.refresh_token)).status).toBe(200);
  });
});
