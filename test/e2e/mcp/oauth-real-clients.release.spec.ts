import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aTeam, type TestTeam } from '../../support/app/a-team.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { PUBLIC_URL, REDIRECT } from '../../support/oauth/assistant.js';
import { ConsentBrowser } from '../../support/oauth/consent-browser.js';
import { OAuthRequests, type Answer, type Tokens } from '../../support/oauth/oauth-requests.js';
import { RECORDED_CLIENTS } from '../../support/oauth/recorded-clients.js';

let app: TestApp;
let team: TestTeam;
let oauth: OAuthRequests;
beforeAll(async () => {
  app = await anApp({ PUBLIC_URL, TRUST_PROXY: '1' });
  team = await aTeam(app);
  oauth = new OAuthRequests(app);
});
afterAll(() => app.stop());

const errorOf = ({ body }: { body: unknown }) => (body as { error?: string }).error;
const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

describe.each(RECORDED_CLIENTS)('$name ($source)', ({ registration, redirect, authorization = {} }) => {
  it('registers as it does, is allowed, calls a tool and refreshes', async () => {
    const { status, body } = (await oauth.register(registration)) as Answer;
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({
        client_id: expect.any(String),
        redirect_uris: registration.redirect_uris,
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      }),
    ]);
    expect(body).not.toHaveProperty('client_secret');
    const attempt = await oauth.attempt(
      { client_id: (body as { client_id: string }).client_id, redirect_uri: redirect, ...authorization },
      registration,
    );
    const code = await oauth.allowed(attempt, team.member);
    // Some send what a client with a secret would.
    const { body: tokens } = (await oauth.exchange(attempt, code, {
      client_secret: 'undefined',
      resource: `${PUBLIC_URL}/mcp`,
    })) as { body: Tokens };
    expect(tokens.scope).toBe('verify lists usage');
    expect((await app.post('/mcp', tokens.access_token).send(ping)).status).toBe(200);
    const again = await oauth.refresh(attempt, tokens.refresh_token, authorization);
    expect([again.status, (again.body as Tokens).scope]).toEqual([200, 'verify lists usage']);
  });
});

describe('a registration is accepted without what this server does not have', () => {
  it.each<[string, object, object]>([
    [
      'other grants',
      { grant_types: ['client_credentials', 'authorization_code'] },
      { grant_types: ['authorization_code'] },
    ],
    ['no grants', { grant_types: [] }, { grant_types: ['authorization_code', 'refresh_token'] }],
    [
      'grants in a text',
      { grant_types: 'authorization_code' },
      { grant_types: ['authorization_code', 'refresh_token'] },
    ],
    [
      'only the grant of refreshing',
      { grant_types: ['refresh_token'] },
      { grant_types: ['authorization_code', 'refresh_token'] },
    ],
    [
      'other responses',
      { response_types: ['code', 'token', 'id_token', 'code id_token'] },
      { response_types: ['code'] },
    ],
    [
      'nulls',
      { response_types: null, grant_types: null, scope: null, logo_uri: null, contacts: null },
      { response_types: ['code'] },
    ],
    ['an unknown type', { application_type: 'browser' }, { application_type: 'web' }],
    ['a type that is no text', { application_type: ['web'] }, {}],
    [
      'a method with a key',
      { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 'https://a.example/jwks' },
      { token_endpoint_auth_method: 'none' },
    ],
    [
      'a method with a certificate',
      { token_endpoint_auth_method: 'tls_client_auth', tls_client_auth_san_dns: 'a.example' },
      { token_endpoint_auth_method: 'none' },
    ],
    [
      'a secret',
      { client_secret: 'secret', client_secret_expires_at: 'never' },
      { token_endpoint_auth_method: 'none' },
    ],
    ['other scopes', { scope: 'openid profile admin' }, {}],
    ['contacts that are none', { contacts: ['nobody', 7] }, {}],
    ['a logo in the text', { logo_uri: `data:image/png;base64,${'A'.repeat(20_000)}` }, {}],
    ['pages that are no URL', { client_uri: 'assistant', policy_uri: 7, tos_uri: {} }, {}],
    [
      'algorithms',
      {
        id_token_signed_response_alg: 'RS256',
        userinfo_signed_response_alg: 'none',
        request_object_signing_alg: 'HS256',
      },
      {},
    ],
    [
      'rules of OpenID Connect',
      { subject_type: 'pairwise', default_max_age: -1, require_auth_time: true, default_acr_values: ['x'] },
      {},
    ],
    ['a statement', { software_statement: 'e30.e30.', software_id: 7, software_version: null }, {}],
    [
      'an address that cannot be used beside one that can',
      { redirect_uris: ['http://assistant.example/', 'javascript:alert(1)', `${REDIRECT}#a`, REDIRECT, 7] },
      { redirect_uris: [REDIRECT] },
    ],
    ['a name that is no text', { client_name: { en: 'Assistant' } }, {}],
    [
      'members of objects',
      JSON.parse('{"__proto__": {"client_secret": "x"}, "constructor": 1}') as object,
      {},
    ],
  ])('%s', async (_, metadata, expected) => {
    const { status, body } = (await oauth.register(metadata)) as Answer;
    expect([status, body]).toEqual([201, expect.objectContaining(expected)]);
    const attempt = await oauth.attempt({}, metadata);
    expect((await new ConsentBrowser(app).visit(oauth.urlOf(attempt))).url.pathname).toBe('/console');
  });

  it.each<[string, object, string]>([
    ['only other grants', { grant_types: ['client_credentials', 'implicit'] }, 'invalid_client_metadata'],
    ['only other responses', { response_types: ['token'] }, 'invalid_client_metadata'],
    ['no address', { redirect_uris: [] }, 'invalid_redirect_uri'],
    ['addresses in a text', { redirect_uris: REDIRECT }, 'invalid_redirect_uri'],
    [
      'only addresses that cannot be used',
      { redirect_uris: ['http://a.example/', 'data:,x', null] },
      'invalid_redirect_uri',
    ],
  ])('but not with %s, and is told what to send', async (_, metadata, error) => {
    const { status, body } = (await oauth.register(metadata)) as Answer;
    expect([status, body]).toEqual([400, { error, error_description: expect.stringContaining('Send ') }]);
  });
});

const RESOURCES = [
  `${PUBLIC_URL}/mcp/`,
  `${PUBLIC_URL}/mcp//`,
  `${PUBLIC_URL}/mcp?utm_source=plugin`,
  `${PUBLIC_URL}/mcp/?a=1&b=2`,
  `${PUBLIC_URL}/mcp#tools`,
  `${PUBLIC_URL}:443/mcp`,
  'HTTPS://RCPT.example/mcp',
  'https://Rcpt.Example:443/MCP/?x=1#y',
  `${PUBLIC_URL}/./mcp`,
];

describe('one resource, however it is spelled', () => {
  it.each(RESOURCES)('%s', async (resource) => {
    const attempt = await oauth.attempt({ resource });
    const code = await oauth.allowed(attempt, team.member);
    const { status, body } = (await oauth.exchange(attempt, code, { resource })) as Answer;
    expect(status).toBe(200);
    const { access_token: token, refresh_token: next } = body as Tokens;
    expect((await oauth.refresh(attempt, next, { resource })).status).toBe(200);
    expect((await oauth.refresh(attempt, next, { resource: RESOURCES[0] ?? '' })).status).toBe(200);
    expect((await app.get('/v1/usage', token)).status).toBe(200);
  });

  it('also if it is sent twice, in any order; but not beside another', async () => {
    const attempt = await oauth.attempt();
    const url = oauth.urlOf(attempt);
    url.searchParams.append('resource', `${PUBLIC_URL}/mcp/`);
    expect((await new ConsentBrowser(app).visit(url)).url.pathname).toBe('/console');
    url.searchParams.append('resource', 'https://other.example/mcp');
    expect((await new ConsentBrowser(app).visit(url)).text).toContain('invalid_target');
  });

  it.each([
    'https://other.example/mcp',
    `${PUBLIC_URL}/mcp/more`,
    `${PUBLIC_URL}/mcpx`,
    `${PUBLIC_URL}:8443/mcp`,
    'http://rcpt.example/mcp',
    'https://user@rcpt.example/mcp',
    'rcpt.example/mcp',
    PUBLIC_URL,
  ])('%s is another', async (resource) => {
    const { attempt, tokens } = await oauth.connected(team.member);
    expect(errorOf(await oauth.refresh(attempt, tokens.refresh_token, { resource }))).toBe('invalid_target');
  });

  it.each(['/mcp', '/mcp/', '/mcp?utm_source=plugin', '/MCP/?a[]=1&a[]=2&b', '/mcp?email=a+b'])(
    'POST %s is the route',
    async (path) => {
      const { tokens } = await oauth.connected(team.member);
      const answer = await app.post(path, tokens.access_token).send(ping);
      expect([answer.status, answer.body]).toEqual([200, { jsonrpc: '2.0', id: 1, result: {} }]);
    },
  );
});
