import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { Retention } from '../../../src/platform/database/erasure/retention.js';
import { aTeam, type TestTeam } from '../../support/app/a-team.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { expectProblem } from '../../support/http/problems.js';
import { calling, mcpOverHttp, refusalOf } from '../../support/mcp/mcp-client.js';
import { Assistant, PUBLIC_URL, REDIRECT } from '../../support/oauth/assistant.js';
import { ConsentBrowser } from '../../support/oauth/consent-browser.js';
import { OAuthRequests, type Tokens } from '../../support/oauth/oauth-requests.js';

const DAY_MS = 86_400_000;

interface ListedKey {
  id: string;
  kind: string;
  name: string;
  mode: string;
  last4: string;
  scopes: string[];
  expires_at: string;
  revoked_at: string | null;
  client: { id: string; name: string | null; verified: boolean } | null;
}

let app: TestApp;
let team: TestTeam;
let oauth: OAuthRequests;
beforeAll(async () => {
  app = await anApp({ PUBLIC_URL, TRUST_PROXY: '1' });
  team = await aTeam(app);
  oauth = new OAuthRequests(app);
});
afterAll(() => app.stop());

const usage = async (token: string) => (await app.get('/v1/usage', token)).status;
const keysOf = async (key: string) =>
  ((await app.get('/v1/keys', key)).body as { data: ListedKey[] }).data.filter(
    ({ kind }) => kind === 'oauth',
  );
const errorOf = ({ body }: { body: unknown }) => (body as { error?: string }).error;

describe('an assistant that only speaks OAuth', () => {
  it('finds the authorization server, registers, is allowed, calls tools and refreshes', async () => {
    const refused = await app.post('/mcp').send({});
    expect(refused.headers['www-authenticate']).toBe(
      `Bearer resource_metadata="${PUBLIC_URL}/.well-known/oauth-protected-resource/mcp", realm="rcpt"`,
    );
    const assistant = new Assistant(app);
    expect(await assistant.connect()).toBe('REDIRECT');
    const browser = new ConsentBrowser(app);
    const id = await browser.open(assistant.authorizationUrl);
    expect(await browser.shown(id)).toMatchObject({
      client: { name: 'Assistant', verified: false },
      redirect: { scheme: 'https', host: 'assistant.example' },
      scopes: ['verify', 'lists', 'usage'],
    });
    const answer = await browser.allow(id, team.member);
    expect(answer.href.startsWith(`${REDIRECT}?code=`)).toBe(true);
    expect([answer.searchParams.get('state'), answer.searchParams.get('iss')]).toEqual([
      'a-state',
      PUBLIC_URL,
    ]);
    expect(await assistant.finish(answer)).toBe('AUTHORIZED');
    expect(assistant.saved).toMatchObject({
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'verify lists usage',
    });
    const first = assistant.saved?.access_token ?? '';
    const client = await mcpOverHttp(app.url, first);
    expect(await calling(client, 'get_usage')).toMatchObject({ tier: 'unlimited' });
    await client.close();
    expect(await assistant.connect()).toBe('AUTHORIZED');
    expect(assistant.saved?.access_token).not.toBe(first);
    expect(await usage(assistant.saved?.access_token ?? '')).toBe(200);
  });

  it('is told by the client of the SDK when another server answers in the place of this one', async () => {
    const assistant = new Assistant(app);
    await assistant.connect();
    const browser = new ConsentBrowser(app);
    const answer = await browser.allow(await browser.open(assistant.authorizationUrl), team.member);
    answer.searchParams.set('iss', 'https://evil.example');
    await expect(assistant.finish(answer)).rejects.toThrow('evil.example');
  });

  it('gets a refusal if the user says no', async () => {
    const assistant = new Assistant(app);
    await assistant.connect();
    const browser = new ConsentBrowser(app);
    const id = await browser.open(assistant.authorizationUrl);
    const denied = await browser.goOn(await browser.answer(id, team.member, { allow: false }));
    expect(denied.searchParams.get('error')).toBe('access_denied');
    expect(denied.searchParams.get('code')).toBeNull();
  });

  it('may only call the tools that it was allowed', async () => {
    const { tokens } = await oauth.connected(team.member, { mode: 'test', scopes: ['verify'] });
    const client = await mcpOverHttp(app.url, tokens.access_token);
    expect(await calling(client, 'verify_email', { email: 'jane@example.com' })).toMatchObject({
      email: 'jane@example.com',
    });
    for (const [tool, args] of [
      ['verify_list', { emails: ['jane@example.com'] }],
      ['get_list', { id: 'job_1' }],
      ['get_usage', {}],
    ] as const)
      expect(await refusalOf(client, tool, args)).toMatchObject({ code: 'scope_required' });
    await client.close();
  });
});

describe('what a user has allowed', () => {
  it('is listed among the keys of the team, with the program and the end', async () => {
    const fresh = await aTeam(app);
    await oauth.connected(fresh.member, { mode: 'test', scopes: ['verify', 'usage'] });
    const [key, ...others] = await keysOf(fresh.owner);
    expect(others).toEqual([]);
    expect(key).toMatchObject({
      ...{ name: 'Assistant', mode: 'test', last4: '', scopes: ['verify', 'usage'], revoked_at: null },
      client: { name: 'Assistant', verified: false, id: expect.any(String) },
    });
    const days = (Date.parse(key?.expires_at ?? '') - app.clock.now().getTime()) / DAY_MS;
    expect(days).toBeGreaterThan(29.9);
    expect(days).toBeLessThanOrEqual(30);
    expectProblem(await app.post(`/v1/keys/${key?.id}/rotate`, fresh.member).send({}), 409, 'key_not_active');
  });

  it('ends at once when the key is revoked, with its access and refresh tokens', async () => {
    const fresh = await aTeam(app);
    const { attempt, tokens } = await oauth.connected(fresh.member);
    expect(await usage(tokens.access_token)).toBe(200);
    const [key] = await keysOf(fresh.owner);
    expect((await app.delete(`/v1/keys/${key?.id}`, fresh.owner)).status).toBe(200);
    expect(await usage(tokens.access_token)).toBe(401);
    expect(errorOf(await oauth.refresh(attempt, tokens.refresh_token))).toBe('invalid_grant');
  });

  it('ends when the program revokes a token, and the key is revoked too', async () => {
    for (const name of ['access_token', 'refresh_token'] as const) {
      const fresh = await aTeam(app);
      const { attempt, tokens } = await oauth.connected(fresh.member);
      const fields = { client_id: attempt.clientId, token: tokens[name] };
      expect((await app.post('/oauth/revoke').type('form').send(fields)).status).toBe(200);
      expect(await usage(tokens.access_token)).toBe(401);
      expect(errorOf(await oauth.refresh(attempt, tokens.refresh_token))).toBe('invalid_grant');
      expect((await keysOf(fresh.owner))[0]?.revoked_at).toEqual(expect.any(String));
    }
  });

  it('ends with the membership of the user', async () => {
    const fresh = await aTeam(app);
    const { attempt, tokens } = await oauth.connected(fresh.member);
    expect((await app.delete(`/v1/team/members/${fresh.members.member}`, fresh.owner)).status).toBe(204);
    app.clock.advance(5_000);
    expect(await usage(tokens.access_token)).toBe(401);
    expect(errorOf(await oauth.refresh(attempt, tokens.refresh_token))).toBe('invalid_grant');
    await app.dispatchEvents();
    expect((await keysOf(fresh.owner))[0]?.revoked_at).toEqual(expect.any(String));
  });

  it('ends with the team, of which nothing stays', async () => {
    const account = await app.anAccount();
    const { attempt, tokens } = await oauth.connected(account.liveKey);
    expect((await app.delete('/v1/team', account.liveKey)).status).toBe(204);
    app.clock.advance(5_000);
    expect(await usage(tokens.access_token)).toBe(401);
    expect(errorOf(await oauth.refresh(attempt, tokens.refresh_token))).toBe('invalid_grant');
  });

  it('belongs to one team: its tokens show nothing of another', async () => {
    const other = await aTeam(app);
    const list = await app.post('/v1/verify/bulk', other.owner).send({ emails: ['no address'] });
    const { tokens } = await oauth.connected(team.member);
    const client = await mcpOverHttp(app.url, tokens.access_token);
    expect(await refusalOf(client, 'get_list', { id: (list.body as { id: string }).id })).toMatchObject({
      code: 'not_found',
    });
    await client.close();
  });

  it('makes the oldest of more than 20 programs of a user end', async () => {
    const account = await app.anAccount();
    const first = await oauth.connected(account.liveKey);
    for (let n = 0; n < 20; n++) await oauth.connected(account.liveKey);
    expect((await keysOf(account.liveKey)).filter(({ revoked_at: at }) => at === null)).toHaveLength(20);
    expect(await usage(first.tokens.access_token)).toBe(401);
  });

  it('is stored without a token or code, and deleted when it has expired', async () => {
    const { attempt, tokens } = await oauth.connected(team.member);
    const next = (await oauth.refresh(attempt, tokens.refresh_token)).body as Tokens;
    const database = app.service.app.get(DataSource);
    const stored =
      JSON.stringify(await database.query('SELECT * FROM oauth_records')) +
      JSON.stringify(await database.query('SELECT * FROM api_keys'));
    for (const token of [tokens.access_token, tokens.refresh_token, next.access_token, next.refresh_token])
      expect(stored).not.toContain(token);
    app.clock.advance(91 * DAY_MS);
    const retention = app.service.app.get(Retention, { strict: false });
    expect(await retention.deleteExpired({ table: 'oauth_records', column: 'expires_at' })).toBeGreaterThan(
      10,
    );
    expect(await database.query('SELECT * FROM oauth_records')).toEqual([]);
  });

  it('lasts 30 days, and an access token an hour', async () => {
    const { attempt, tokens } = await oauth.connected(team.member);
    app.clock.advance(3_599_000 - 10_000);
    expect(await usage(tokens.access_token)).toBe(200);
    app.clock.advance(11_000);
    expect(await usage(tokens.access_token)).toBe(401);
    const next = (await oauth.refresh(attempt, tokens.refresh_token)).body as Tokens;
    expect(await usage(next.access_token)).toBe(200);
    app.clock.advance(30 * DAY_MS - 3_600_000);
    expect(errorOf(await oauth.refresh(attempt, next.refresh_token))).toBe('invalid_grant');
  });
});

it('the metadata names only what the server has', async () => {
  const { body } = (await app.get('/.well-known/oauth-authorization-server')) as { body: object };
  expect(body).toMatchObject({
    issuer: PUBLIC_URL,
    authorization_endpoint: `${PUBLIC_URL}/oauth/authorize`,
    token_endpoint: `${PUBLIC_URL}/oauth/token`,
    registration_endpoint: `${PUBLIC_URL}/oauth/register`,
    revocation_endpoint: `${PUBLIC_URL}/oauth/revoke`,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    // The library always names the last, which nobody is granted.
    scopes_supported: ['verify', 'lists', 'usage', 'openid'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  });
  expect((await app.get('/.well-known/openid-configuration')).body).toEqual(body);
  expect((await app.get('/.well-known/oauth-protected-resource')).body).toEqual(
    (await app.get('/.well-known/oauth-protected-resource/mcp')).body,
  );
  for (const name of [
    'userinfo_endpoint',
    'end_session_endpoint',
    'introspection_endpoint',
    'device_authorization_endpoint',
  ])
    expect(body).not.toHaveProperty(name);
});

it('what began with the former SECRET_KEY can be finished after it was replaced', async () => {
  const assistant = new Assistant(app);
  await assistant.connect();
  const next = Buffer.alloc(32, 7).toString('base64');
  const rotated = await anApp({ ...app.shared, SECRET_KEY: `${next},${app.shared.SECRET_KEY}`, PUBLIC_URL });
  try {
    const before = new ConsentBrowser(app);
    const id = await before.open(assistant.authorizationUrl);
    const answer = await before.at(rotated).allow(id, team.member);
    expect(answer.searchParams.get('code')).toEqual(expect.any(String));
  } finally {
    await rotated.stop();
  }
});

it('a PUBLIC_URL with a path is part of all addresses', async () => {
  const behind = await anApp({ PUBLIC_URL: 'https://rcpt.example/mail' });
  try {
    const { body } = (await behind.get('/.well-known/openid-configuration')) as {
      body: Record<string, string>;
    };
    const issuer = 'https://rcpt.example/mail';
    expect(body).toMatchObject({ issuer, token_endpoint: `${issuer}/oauth/token` });
    expect((await behind.get('/.well-known/oauth-protected-resource/mcp')).body).toMatchObject({
      resource: 'https://rcpt.example/mail/mcp',
      authorization_servers: ['https://rcpt.example/mail'],
    });
    // Of cookies too, so that they are sent to no other service of the host.
    const attempt = await new OAuthRequests(behind).attempt({ resource: `${issuer}/mcp` });
    const cookies: string[] = [];
    const ask = (path: string) => behind.get(path);
    const go = async (url: string, send: typeof ask) => {
      const answer = await send(url.replace(issuer, '')).set('Cookie', cookies);
      cookies.push(...((answer.headers['set-cookie'] ?? []) as string[]));
      return String(answer.headers.location ?? (answer.body as { redirect_to: string }).redirect_to);
    };
    const key = (await behind.anAccount()).liveKey;
    const consent = await go(`/oauth/authorize${oauth.urlOf(attempt).search}`, ask);
    const next = await go(consent, (path) => behind.post(path, key).send({ allow: true }));
    expect(await go(next, ask)).toContain('code=');
    expect(cookies.filter((each) => !/; path=\/mail\/oauth\b.*; secure; httponly/.test(each))).toEqual([]);
    const forged = await behind
      .get('/.well-known/oauth-authorization-server')
      .set({ Host: 'evil.example', 'X-Forwarded-Host': 'evil.example' });
    expect(forged.body).toEqual(body);
  } finally {
    await behind.stop();
  }
});
